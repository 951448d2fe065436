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

// The words of override, disclosure and sending in other languages. A word that means something else in another
// language of the table is left out when that would turn ordinary text into an order.

const GERMAN: W.WordTable = [
  [
    W.DISREGARD,
    'ignoriere ignorieren ignoriert ignorier vergiss vergesse vergessen missachte missachten übergehe verwirf umgehe',
  ],
  [
    W.PRIOR,
    'vorherigen vorherige vorigen bisherigen bisherige früheren obigen obige vorangegangenen ursprünglichen',
  ],
  [W.WHOLE, 'alle alles sämtliche jede jegliche'],
  [
    W.ORDERS,
    'anweisungen anweisung instruktionen befehle aufforderung eingabeaufforderung vorgaben systemprompt aufgabe',
  ],
  [W.LIMITS, 'regeln richtlinien einschränkungen beschränkungen'],
  [W.YOU, 'du dein deine deinen deiner deinem dir dich'],
  [W.SEND, 'sende sendet schicke schick überweise übermittle weiterleite leite verschicke'],
  [W.REVEAL, 'zeige zeig verrate nenne gib wiederhole offenbare'],
  [W.POLITE, 'bitte'],
  [W.MINE, 'mein meine meinen meinem meiner'],
  [W.NEGATE, 'nicht niemals kein keine'],
  [W.SENSITIVE, 'passwort passwörter zugangsdaten daten schlüssel kontodaten'],
]

const SPANISH: W.WordTable = [
  [
    W.DISREGARD,
    'ignora ignore ignorad ignorar olvida olvide olvidar olvídate desatiende descarta omite haz_caso_omiso',
  ],
  [W.PRIOR, 'anteriores anterior previas previos previa precedentes originales'],
  [W.WHOLE, 'todas todos todo cualquier'],
  [
    W.ORDERS,
    'instrucciones instrucción indicaciones órdenes directrices directivas mensaje_del_sistema tarea',
  ],
  [W.LIMITS, 'reglas normas restricciones pautas'],
  [W.YOU, 'tu tus tú usted sus'],
  [W.SEND, 'envía enviar envíe enviad manda mande transfiere transfiera reenvía reenvíe sube publica'],
  [W.REVEAL, 'muestra muéstrame revela dime repite imprime'],
  [W.POLITE, 'por_favor'],
  [W.MINE, 'mi mis'],
  [W.NEGATE, 'nunca jamás'],
  [W.SENSITIVE, 'contraseña contraseñas credenciales datos claves'],
]

const FRENCH: W.WordTable = [
  [
    W.DISREGARD,
    `ignorez ignorer oublie oubliez oublier néglige négligez ne_tiens_pas_compte ne_tenez_pas_compte
    fais_abstraction faites_abstraction`,
  ],
  [W.PRIOR, 'précédentes précédents précédente antérieures antérieurs initiales dessus'],
  [W.WHOLE, 'toutes tous tout toute'],
  [W.ORDERS, 'instructions consignes consigne directives ordres invite tâche'],
  [W.LIMITS, 'règles restrictions contraintes limites'],
  [W.YOU, 'ton ta tes votre vos vous toi'],
  [W.SEND, 'envoie envoyez envoyer transfère transférez transmets transmettez publie publiez'],
  [W.REVEAL, 'montre montrez révèle révélez affiche affichez répète répétez'],
  [W.POLITE, `s'il_vous_plaît s'il_te_plaît veuillez`],
  [W.MINE, 'mon mes'],
  [W.NEGATE, 'jamais'],
  [W.SENSITIVE, 'passe identifiants données clés'],
]

const PORTUGUESE: W.WordTable = [
  [W.DISREGARD, 'ignorem esqueça esquece esquecer desconsidere desconsidera despreze'],
  [W.PRIOR, 'anteriores anterior prévias prévios acima originais'],
  [W.WHOLE, 'todas todos tudo qualquer'],
  [W.ORDERS, 'instruções instrução orientações ordens diretrizes comandos tarefa'],
  [W.LIMITS, 'regras restrições normas'],
  [W.YOU, 'seu sua seus suas teu tuas você'],
  [W.SEND, 'envie envia enviar transfira transfere encaminhe mande publique'],
  [W.REVEAL, 'mostre revele diga repita imprima exiba'],
  [W.MINE, 'meu minha meus minhas'],
  [W.SENSITIVE, 'senha senhas credenciais dados chaves'],
]

const ITALIAN: W.WordTable = [
  [W.DISREGARD, 'ignora ignorate ignorare dimentica dimenticate dimenticare trascura tralascia'],
  [W.PRIOR, 'precedenti precedente antecedenti iniziali'],
  [W.WHOLE, 'tutte tutti tutto qualsiasi ogni'],
  [W.ORDERS, 'istruzioni istruzione indicazioni ordini direttive comandi compito'],
  [W.LIMITS, 'regole restrizioni vincoli linee'],
  [W.YOU, 'tuo tua tuoi tue vostre vostri'],
  [W.SEND, 'invia inviate inviare trasferisci trasferite inoltra inoltrate spedisci pubblica'],
  [W.REVEAL, 'mostra mostrami rivela dimmi ripeti stampa'],
  [W.POLITE, 'per_favore per_piacere'],
  [W.MINE, 'mio miei mie'],
  [W.SENSITIVE, 'password credenziali dati chiavi'],
]

const DUTCH: W.WordTable = [
  [W.DISREGARD, 'negeer negeren vergeet vergeten'],
  [W.PRIOR, 'vorige eerdere voorgaande bovenstaande voorafgaande oorspronkelijke'],
  [W.WHOLE, 'alle alles elke'],
  [W.ORDERS, 'instructies instructie aanwijzingen opdrachten opdracht bevelen'],
  [W.LIMITS, 'regels richtlijnen beperkingen'],
  [W.YOU, 'jij jouw uw'],
  [W.SEND, 'stuur stuurt verstuur verzend overmaken'],
  [W.REVEAL, 'toon onthul herhaal geef'],
  [W.POLITE, 'alstublieft alsjeblieft'],
  [W.MINE, 'mijn'],
  [W.SENSITIVE, 'wachtwoord wachtwoorden inloggegevens gegevens'],
]

const POLISH_AND_TURKISH: W.WordTable = [
  [W.DISREGARD, 'zignoruj ignoruj zapomnij pomiń yoksay görmezden unut dikkate_alma'],
  [W.PRIOR, 'poprzednie poprzednich wcześniejsze powyższe önceki yukarıdaki'],
  [W.WHOLE, 'wszystkie wszelkie tüm bütün'],
  [W.ORDERS, 'instrukcje instrukcji polecenia poleceń talimatları talimatlar yönergeleri komutları'],
  [W.LIMITS, 'zasady reguły kuralları'],
]

const RUSSIAN: W.WordTable = [
  [
    W.DISREGARD,
    `игнорируй игнорируйте проигнорируй проигнорируйте игнорировать забудь забудьте забыть отбрось отмени
    не_обращай_внимания не_обращайте_внимания`,
  ],
  [W.PRIOR, 'предыдущие предыдущих прежние прошлые ранее вышеуказанные первоначальные предшествующие'],
  [W.WHOLE, 'все всё всех любые'],
  [W.ORDERS, 'инструкции инструкций указания указаний команды приказы промпт подсказки задание'],
  [W.LIMITS, 'правила правил ограничения ограничений'],
  [W.YOU, 'ты твои твой твоя вы ваши ваш ваша'],
  [W.SEND, 'отправь отправьте перешли перешлите переведи переведите передай загрузи опубликуй'],
  [W.REVEAL, 'покажи покажите раскрой раскройте повтори выведи скажи'],
  [W.POLITE, 'пожалуйста'],
  [W.MINE, 'мой моя мои мою моего'],
  [W.NEGATE, 'не никогда'],
  [W.SENSITIVE, 'пароль пароли данные ключи переписку'],
]

const ARABIC: W.WordTable = [
  [W.DISREGARD, 'تجاهل تجاهلي تجاهلوا انس انسى'],
  [W.PRIOR, 'السابقة السابق أعلاه'],
  [W.WHOLE, 'جميع كل كافة'],
  [W.ORDERS, 'التعليمات الأوامر تعليمات'],
  [W.LIMITS, 'القواعد القيود'],
]

/** Scripts without spaces between words: every entry is found inside the run of letters. */
const CHINESE_AND_JAPANESE: W.WordTable = [
  [
    W.DISREGARD,
    '忽略 忽视 无视 無視 忘记 忘掉 忘れ 忘却 不要理会 不要遵守 不要遵循 抛开 跳过 忽視 忘記 無効に',
  ],
  [
    W.PRIOR,
    '之前 以前 先前 此前 以上 上述 上面 前面 原来 原有 これまで それまで 上記 前の 元の 最初の 今まで',
  ],
  [W.WHOLE, '所有 全部 一切 任何 すべて 全て'],
  [W.ORDERS, '指令 指示 提示词 提示 命令 任务 提示詞 プロンプト タスク 任務 説明'],
  [W.LIMITS, '规则 限制 规定 准则 約束 规范 ルール 制限 制約 規則 ガイドライン'],
  [W.YOU, '你的 你们 您的 你 您 あなた'],
  [W.SEND, '发送 发给 转发 转账 上传 寄给 提交到 發送 轉發 送信 転送 送って 送金 アップロード'],
  [W.REVEAL, '显示 透露 泄露 告诉我 输出 打印 重复 公开 顯示 表示 教えて 出力 公開 漏らして'],
  [W.POLITE, '请 請 ください 下さい お願い'],
  [W.MINE, '我的 私の'],
  [W.SENSITIVE, '密码 密碼 密钥 凭证 数据 对话 聊天记录 パスワード 会話 データ 秘密'],
  [W.SYSTEM, '系统 系統 システム'],
  [W.HOST, '助手 模型 人工智能 アシスタント モデル'],
  [W.MUST, '必须 必須 应该 しなければ'],
]

const KOREAN: W.WordTable = [
  [W.DISREGARD, '무시하고 무시해 무시하세요 무시하십시오 무시해라 잊어 잊어버려 잊으세요'],
  [W.PRIOR, '이전 이전의 앞선 위의 기존'],
  [W.WHOLE, '모든 모두'],
  [W.ORDERS, '지시 지시를 지시사항 지시사항을 명령 명령을 프롬프트를 지침을 지침'],
  [W.LIMITS, '규칙 규칙을 제한을'],
]

export const LANGUAGES: readonly W.WordTable[] = [
  GERMAN,
  SPANISH,
  FRENCH,
  PORTUGUESE,
  ITALIAN,
  DUTCH,
  POLISH_AND_TURKISH,
  RUSSIAN,
  ARABIC,
  CHINESE_AND_JAPANESE,
  KOREAN,
]
