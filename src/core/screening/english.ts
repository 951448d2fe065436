import * as W from './word-class.ts'

/** English. Verbs stand in the form of an order (and of `-ing` where that gives orders too), never in the third person. */
export const ENGLISH: W.WordTable = [
  [
    W.DISREGARD,
    `ignore ignoring disregard disregarding forget forgetting discard neglect overlook overrule abandon dismiss
    set_aside put_aside pay_no_attention do_away_with leave_behind throw_away disobey unlearn`,
  ],
  [
    W.WEAKEN,
    `override overriding bypass bypassing circumvent evade supersede nullify cancel erase delete skip suspend
    revoke drop break violate disable lift relax escape abandon`,
  ],
  [
    W.FOLLOW,
    `follow following obey comply adhere execute carry_out act_on respect conform abide honor honour`,
  ],
  [
    W.PRIOR,
    `previous previously prior above preceding earlier before foregoing initial original originally existing former
    past old current aforementioned given first last hitherto far`,
  ],
  [W.WHOLE, 'all any every everything whatever anything each entire whole'],
  [
    W.ORDERS,
    `instruction instructions prompt prompts directive directives directions preprompt programming orders
    commands instructional task tasks`,
  ],
  [
    W.LIMITS,
    `rule rules guideline guidelines restriction restrictions constraint constraints safeguard safeguards
    guardrail guardrails limitation limitations policy policies filter filters protocol protocols safety ethics
    censorship training moderation context`,
  ],
  [W.FRESH, 'new following next instead updated revised real actual true subsequent below important urgent'],
  [
    W.HOST,
    `assistant assistants ai llm llms chatbot chatbots gpt chatgpt claude gemini copilot bot bots agent agents
    model models language_model`,
  ],
  [W.YOU, `you your yours yourself u ur you're youre you'll you've`],
  [W.MUST, 'must should shall need have will ought required supposed'],
  [
    W.REPLY,
    `response responses response's reply replies reply's answer answers answer's output outputs output's completion
    completions message messages`,
  ],
  [
    W.SENSITIVE,
    `conversation conversations credentials credential password passwords passphrase secret secrets token
    tokens key keys history histories record records contact contacts files emails messages documents details
    information data personal private confidential sensitive memory memories chat context transcript account accounts`,
  ],
  [
    W.REVEAL,
    `reveal show print repeat output display tell disclose dump leak share list recite expose quote echo
    provide give paste summarize summarise translate write return spell start begin`,
  ],
  [
    W.SEND,
    `send forward transfer post upload email mail submit transmit wire remit exfiltrate relay redirect route
    routing sending forwarding posting uploading publish deliver leak report cc bcc copy dispatch`,
  ],
  [
    W.ALTER,
    `delete remove erase wipe disable deactivate cancel revoke grant unlock lock open close buy purchase
    order book reserve schedule reschedule withdraw deposit pay transfer move update change modify edit set reset
    create add install uninstall download activate enable turn switch start stop approve authorize authorise accept
    register subscribe unsubscribe invite block unblock report terminate shut initiate execute perform deploy adjust
    increase decrease sell trade donate sign file submit leave join follow unfollow rename replace merge push
    dispatch send share forward post upload email record store save sync connect disconnect manipulate alter
    generate provide retrieve access export import extract collect copy`,
  ],
  [
    W.TALK,
    `explain describe discuss tell write list summarize summarise outline compare define translate rewrite
    rephrase proofread correct comment elaborate clarify suggest recommend answer reply respond
    help show give find search look fetch get read teach name brainstorm draft compose mention let imagine think say
    ask talk speak calculate solve continue engage start begin affirm confirm design`,
  ],
  [
    W.INSPECT,
    'review check analyse analyze inspect examine identify explore audit assess verify look_into monitor',
  ],
  [
    W.READER,
    `see note refer contact feel visit call click remember consider keep be wait allow bear find attached
    try reply press enter do don't not stop use remain make sign log fill complete sure hesitate`,
  ],
  [W.POLITE, 'please kindly pls plz'],
  [W.MINE, 'my mine'],
  [
    W.NEGATE,
    `not never don't dont no without cannot can't won't didn't doesn't isn't stop avoid refuse neither nor`,
  ],
  [
    W.SUBJECT,
    `i we they he she it who which that does did do will would could can may might shall cannot to users
    people someone everyone developers attackers not never`,
  ],
  [W.SYSTEM, 'system developer hidden internal initialization initialisation secret base configuration'],
  [
    W.ALWAYS,
    `always henceforth hereafter from_now_on from_now_onwards from_this_point from_here_on every_response
    every_reply every_answer every_message every_conversation all_future future_interactions future_conversations
    future_responses future_requests future_sessions each_response every_future any_future going_forward`,
  ],
  [
    W.OPENER,
    `what why how when where who which is are was were does did do can could should would will the a an this
    that these those i we they he she it in on at for from with by of to as if there thanks thank sorry regarding based
    because since while although after before and or but your my our his her their its no yes some many most one hi
    hello dear re about given`,
  ],
  [W.PERSONA, 'pretend roleplay role_play impersonate simulate masquerade'],
  [W.TOLD, 'told said say learned learnt know knew instructed taught asked given written stated'],
  [W.HEAD, `what what's which act behave assume adopt enter`],
  [W.CODE, 'code codebase snippet script program solution implementation'],
]
