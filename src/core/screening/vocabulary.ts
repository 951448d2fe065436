import * as W from './word-class.ts'

type ClassName = keyof typeof W
/** Words by their classes, separated by white space; `_` joins an entry of several words. */
export type WordTable = Readonly<Partial<Record<ClassName, string>>>

const CLASSES: readonly ClassName[] = Object.keys(W).filter(isClass)

function isClass(name: string): name is ClassName {
  return Object.hasOwn(W, name)
}

/** Every entry of a table with the bit of its class. */
export function entriesOf(table: WordTable): readonly (readonly [mask: number, entry: string])[] {
  return CLASSES.flatMap((name) =>
    (table[name]?.split(/\s+/) ?? []).map((entry) => [W[name], entry] as const),
  )
}

/** English. Verbs stand in the form of an order (and of `-ing` where that gives orders too), never in the third person. */
export const ENGLISH: WordTable = {
  DISREGARD: `ignore ignoring disregard disregarding forget forgetting discard neglect overlook overrule abandon dismiss
    set_aside put_aside pay_no_attention pay_no_heed do_away_with leave_behind throw_away disobey unlearn scrap`,
  WEAKEN: `override overriding bypass bypassing circumvent evade supersede nullify cancel erase delete skip suspend
    revoke drop break violate disable lift relax escape abandon void rescind annul invalidate`,
  FOLLOW: `follow following obey comply adhere execute carry_out act_on respect conform abide honor honour`,
  PRIOR: `previous previously prior above preceding earlier before foregoing initial original originally existing former
    past old older current aforementioned given first last hitherto far`,
  WHOLE: 'all any every everything whatever anything each entire whole',
  ORDERS: `instruction instructions prompt prompts directive directives directions guidance preprompt programming
    orders commands instructional task tasks`,
  LIMITS: `rule rules guideline guidelines restriction restrictions constraint constraints safeguard safeguards
    guardrail guardrails limitation limitations policy policies filter filters protocol protocols safety ethics
    censorship training moderation context`,
  FRESH: 'new following next instead updated revised real actual true subsequent below important urgent',
  HOST: `assistant assistants ai llm llms chatbot chatbots gpt chatgpt claude gemini copilot bot bots agent agents
    model models language_model`,
  YOU: `you your yours yourself u ur you're youre you'll you've`,
  MUST: 'must should shall need have will ought required supposed',
  REPLY: `response responses response's reply replies reply's answer answers answer's output outputs output's completion
    completions message messages`,
  SENSITIVE: `conversation conversations credentials credential password passwords passphrase secret secrets token
    tokens key keys history histories record records contact contacts files emails messages documents details
    information data personal private confidential sensitive memory memories chat context transcript account accounts`,
  REVEAL: `reveal show print repeat output display tell disclose dump leak share list recite expose quote echo
    provide give paste summarize summarise translate write return spell start begin encode transcribe`,
  SEND: `send forward transfer post upload email mail submit transmit wire remit exfiltrate relay redirect route
    routing sending forwarding posting uploading publish deliver leak report cc bcc copy dispatch`,
  ALTER: `delete remove erase wipe disable deactivate cancel revoke grant unlock lock open close buy purchase
    order book reserve schedule reschedule withdraw deposit pay transfer move update change modify edit set reset
    create add install uninstall download activate enable turn switch start stop approve authorize authorise accept
    register subscribe unsubscribe invite block unblock report terminate shut initiate execute perform deploy adjust
    increase decrease sell trade donate sign file submit leave join follow unfollow rename replace merge push
    dispatch send share forward post upload email record store save sync connect disconnect manipulate alter
    generate provide retrieve access export import extract collect copy`,
  TALK: `explain describe discuss tell write list summarize summarise outline compare define translate rewrite
    rephrase proofread correct comment elaborate clarify suggest recommend answer reply respond
    help show give find search look fetch get read teach name brainstorm draft compose mention let imagine think say
    ask talk speak calculate solve continue engage start begin affirm confirm design`,
  INSPECT:
    'review check analyse analyze inspect examine identify explore audit assess verify look_into monitor',
  READER: `see note refer contact feel visit call click remember consider keep be wait allow bear find attached
    try reply press enter do don't not stop use remain make sign log fill complete sure hesitate`,
  POLITE: 'please kindly pls plz',
  MINE: 'my mine',
  NEGATE: `not never don't dont no without cannot can't won't didn't doesn't isn't stop avoid refuse neither nor`,
  SUBJECT: `i we they he she it who which that does did do will would could can may might shall cannot to users
    people someone everyone developers attackers not never`,
  SYSTEM: 'system developer hidden internal initialization initialisation secret base configuration',
  ALWAYS: `always henceforth hereafter from_now_on from_now_onwards from_this_point from_here_on every_response
    every_reply every_answer every_message every_conversation all_future future_interactions future_conversations
    future_responses future_requests future_sessions each_response every_future any_future going_forward`,
  OPENER: `what why how when where who which is are was were does did do can could should would will the a an this
    that these those i we they he she it in on at for from with by of to as if there thanks thank sorry regarding based
    because since while although after before and or but your my our his her their its no yes some many most one hi
    hello dear re about given`,
  PERSONA: 'pretend roleplay role_play impersonate simulate masquerade',
  TOLD: 'told said say learned learnt know knew instructed taught asked given written stated',
  HEAD: `what what's which act behave assume adopt enter`,
  CODE: 'code codebase snippet script program solution implementation',
}

// The words of override, disclosure and sending in other languages. A word that means something else in another
// language of the table is left out when that would turn ordinary text into an order.

const GERMAN: WordTable = {
  DISREGARD:
    'ignoriere ignorieren ignoriert ignorier vergiss vergesse vergessen missachte missachten übergehe verwirf verwerfe umgehe',
  PRIOR:
    'vorherigen vorherige vorigen bisherigen bisherige früheren obigen obige vorangegangenen ursprünglichen',
  WHOLE: 'alle alles sämtliche jede jegliche',
  ORDERS:
    'anweisungen anweisung instruktionen befehle aufforderung eingabeaufforderung vorgaben systemprompt aufgabe',
  LIMITS: 'regeln richtlinien einschränkungen beschränkungen',
  YOU: 'du dein deine deinen deiner deinem dir dich',
  SEND: 'sende sendet schicke schick überweise übermittle weiterleite leite verschicke',
  REVEAL: 'zeige zeig verrate nenne gib wiederhole offenbare zitiere übersetze',
  POLITE: 'bitte',
  MINE: 'mein meine meinen meinem meiner',
  NEGATE: 'nicht niemals kein keine',
  HOST: 'assistent assistenten assistentin ki sprachmodell sprachmodelle',
  SENSITIVE: 'passwort passwörter zugangsdaten daten schlüssel kontodaten',
  ALTER:
    'lösche sperre bestelle buche kaufe kündige storniere ändere bezahle zahle gewähre entsperre erstatte',
}

const SPANISH: WordTable = {
  DISREGARD: `ignora ignore ignorad ignorar olvida olvide olvidar olvídate desatiende descarta omite haz_caso_omiso
    no_hagas_caso no_haga_caso no_tengas_en_cuenta no_tenga_en_cuenta`,
  PRIOR: 'anteriores anterior previas previos previa precedentes originales',
  WHOLE: 'todas todos todo cualquier',
  ORDERS: 'instrucciones instrucción indicaciones órdenes directrices directivas mensaje_del_sistema tarea',
  LIMITS: 'reglas normas restricciones pautas',
  YOU: 'tu tus tú usted sus',
  SEND: 'envía enviar envíe enviad manda mande transfiere transfiera reenvía reenvíe sube publica',
  REVEAL: 'muestra muéstrame revela dime repite imprime enumera escribe copia transcribe',
  POLITE: 'por_favor',
  MINE: 'mi mis',
  NEGATE: 'nunca jamás',
  HOST: 'asistente asistentes agente agentes ia modelo modelos',
  SENSITIVE: 'contraseña contraseñas credenciales datos claves',
  ALTER: 'elimina borra cancela anula compra reserva paga cambia concede autoriza desbloquea carga',
}

const FRENCH: WordTable = {
  DISREGARD: `ignorez ignorer oublie oubliez oublier néglige négligez ne_tiens_pas_compte ne_tenez_pas_compte
    ne_tiens_plus_compte ne_tenez_plus_compte ne_tiens_aucun_compte ne_tenez_aucun_compte
    fais_abstraction faites_abstraction`,
  PRIOR: 'précédentes précédents précédente antérieures antérieurs initiales dessus auparavant',
  WHOLE: 'toutes tous tout toute',
  ORDERS: 'instructions consignes consigne directives ordres invite tâche',
  LIMITS: 'règles restrictions contraintes limites',
  YOU: 'ton ta tes votre vos vous toi',
  SEND: 'envoie envoyez envoyer transfère transférez transmets transmettez publie publiez',
  REVEAL: 'montre montrez révèle révélez affiche affichez répète répétez recopie recopiez cite',
  POLITE: `s'il_vous_plaît s'il_te_plaît veuillez merci_de`,
  MINE: 'mon mes',
  NEGATE: 'jamais',
  HOST: 'assistante modèle modèles',
  SENSITIVE: 'passe identifiants données clés',
  ALTER:
    'supprime supprimez annule annulez achète achetez réserve réservez paie payez régler payer supprimer annuler réserver acheter accorde accordez autorise autorisez débloque débloquez',
}

const PORTUGUESE: WordTable = {
  DISREGARD: 'ignorem esqueça esquece esquecer desconsidere desconsidera despreze não_leve_em_conta não_siga',
  PRIOR: 'anteriores anterior prévias prévios acima originais',
  WHOLE: 'todas todos tudo qualquer',
  ORDERS: 'instruções instrução orientações ordens diretrizes comandos tarefa',
  LIMITS: 'regras restrições normas',
  YOU: 'seu sua seus suas teu tuas você',
  SEND: 'envie envia enviar transfira transfere encaminhe mande publique',
  REVEAL: 'mostre revele diga repita imprima exiba',
  MINE: 'meu minha meus minhas',
  HOST: 'assistente assistentes modelo modelos',
  SENSITIVE: 'senha senhas credenciais dados chaves',
  ALTER: 'apague exclua cancele compre reserve pague altere conceda autorize desbloqueie',
  POLITE: 'por_favor',
}

const ITALIAN: WordTable = {
  DISREGARD:
    'ignora ignorate ignorare dimentica dimenticate dimenticare trascura tralascia non_tenere_conto non_seguire',
  PRIOR: 'precedenti precedente antecedenti iniziali',
  WHOLE: 'tutte tutti tutto qualsiasi ogni',
  ORDERS: 'istruzioni istruzione indicazioni ordini direttive comandi compito',
  LIMITS: 'regole restrizioni vincoli linee',
  YOU: 'tuo tua tuoi tue vostre vostri',
  SEND: 'invia inviate inviare trasferisci trasferite inoltra inoltrate spedisci pubblica',
  REVEAL: 'mostra mostrami rivela dimmi ripeti stampa riporta trascrivi elenca',
  POLITE: 'per_favore per_piacere',
  MINE: 'mio miei mie',
  HOST: 'assistenti agenti modello modelli',
  SENSITIVE: 'password credenziali dati chiavi',
  ALTER: 'cancella elimina annulla compra prenota paga concedi autorizza sblocca',
}

const DUTCH: WordTable = {
  DISREGARD: 'negeer negeren vergeet vergeten houd_geen_rekening',
  PRIOR: 'vorige eerdere voorgaande bovenstaande voorafgaande oorspronkelijke',
  WHOLE: 'alle alles elke',
  ORDERS: 'instructies instructie aanwijzingen opdrachten opdracht bevelen',
  LIMITS: 'regels richtlijnen beperkingen',
  YOU: 'jij jouw uw',
  SEND: 'stuur stuurt verstuur verzend overmaken',
  REVEAL: 'toon onthul herhaal geef schrijf citeer',
  POLITE: 'alstublieft alsjeblieft',
  MINE: 'mijn',
  HOST: 'taalmodel taalmodellen',
  SENSITIVE: 'wachtwoord wachtwoorden inloggegevens gegevens',
  ALTER: 'verwijder annuleer koop boek betaal wijzig bestel',
}

const POLISH_AND_TURKISH: WordTable = {
  DISREGARD: 'zignoruj ignoruj zapomnij pomiń yoksay görmezden unut dikkate_alma',
  PRIOR: 'poprzednie poprzednich wcześniejsze powyższe önceki yukarıdaki',
  WHOLE: 'wszystkie wszelkie tüm bütün',
  ORDERS: 'instrukcje instrukcji polecenia poleceń talimatları talimatlar yönergeleri komutları',
  LIMITS: 'zasady reguły kuralları',
}

const RUSSIAN: WordTable = {
  DISREGARD: `игнорируй игнорируйте проигнорируй проигнорируйте игнорировать забудь забудьте забыть отбрось отмени
    не_обращай_внимания не_обращайте_внимания не_учитывай не_учитывайте не_следуй не_следуйте`,
  PRIOR: 'предыдущие предыдущих прежние прошлые ранее вышеуказанные первоначальные предшествующие',
  WHOLE: 'все всё всех любые',
  ORDERS: 'инструкции инструкций указания указаний команды приказы промпт подсказки задание',
  LIMITS: 'правила правил ограничения ограничений',
  YOU: 'ты твои твой твоя вы ваши ваш ваша',
  SEND: 'отправь отправьте перешли перешлите переведи переведите передай загрузи опубликуй',
  REVEAL: 'покажи покажите раскрой раскройте повтори выведи скажи напиши процитируй перечисли',
  POLITE: 'пожалуйста',
  MINE: 'мой моя мои мою моего',
  NEGATE: 'не никогда',
  HOST: 'помощник ассистент ии бот агент',
  SENSITIVE: 'пароль пароли данные ключи переписку',
  ALTER:
    'удали удалите отмени отмените купи купите закажи закажите забронируй оплати оплатите измени предоставь разблокируй',
}

const ARABIC: WordTable = {
  DISREGARD: 'تجاهل تجاهلي تجاهلوا انس انسى',
  PRIOR: 'السابقة السابق أعلاه',
  WHOLE: 'جميع كل كافة',
  ORDERS: 'التعليمات الأوامر تعليمات',
  LIMITS: 'القواعد القيود',
}

/** Scripts without spaces between words: every entry is found inside the run of letters. */
const CHINESE_AND_JAPANESE: WordTable = {
  DISREGARD: '忽略 忽视 无视 無視 忘记 忘掉 忘れ 忘却 不要理会 不要遵守 不要遵循 抛开 跳过 忽視 忘記 無効に',
  PRIOR: '之前 以前 先前 此前 以上 上述 上面 前面 原来 原有 これまで それまで 上記 前の 元の 最初の 今まで',
  WHOLE: '所有 全部 一切 任何 すべて 全て',
  ORDERS: '指令 指示 提示词 提示 命令 任务 提示詞 プロンプト タスク 任務 説明',
  LIMITS: '规则 限制 规定 准则 約束 规范 ルール 制限 制約 規則 ガイドライン',
  YOU: '你的 你们 您的 你 您 あなた',
  SEND: '发送 发给 转发 转账 上传 寄给 提交到 發送 轉發 送信 転送 送って 送金 アップロード',
  REVEAL: '显示 透露 泄露 告诉我 输出 打印 重复 公开 顯示 表示 教えて 出力 公開 漏らして',
  POLITE: '请 請 ください 下さい お願い',
  MINE: '我的 私の',
  SENSITIVE: '密码 密碼 密钥 凭证 数据 对话 聊天记录 パスワード 会話 データ 秘密 連絡先 联系人 通讯录 履歴',
  SYSTEM: '系统 系統 システム',
  HOST: '助手 模型 人工智能 アシスタント モデル',
  HEAD: '用户 用戶 ユーザ 確認 确认 检查 管理员 管理者',
  MUST: '必须 必須 应该 しなければ',
}

const KOREAN: WordTable = {
  DISREGARD: '무시하고 무시해 무시하세요 무시하십시오 무시해라 잊어 잊어버려 잊으세요',
  PRIOR: '이전 이전의 앞선 위의 기존',
  WHOLE: '모든 모두',
  ORDERS: '지시 지시를 지시사항 지시사항을 명령 명령을 프롬프트를 지침을 지침',
  LIMITS: '규칙 규칙을 제한을',
}

export const LANGUAGES: readonly WordTable[] = [
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
