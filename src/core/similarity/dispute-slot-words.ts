import { wordSet, wordsOf } from './fact-words.ts'

// Words by which statements of other forms are compared: chosen by hand from grammars and from how notes are written, in
// the languages that `dispute-words.ts` knows; none was taken from a text that was measured.

/** Says that something has a value, holds or goes on, and nothing about what has it. */
export const NEUTRAL: ReadonlySet<string> =
  wordSet(`incluye inclui inclut inclure requires opening closing starting question questions issue issues fragen frage preguntas perguntas domande vragen statt cubre cubren covers necessary needed nötig notwendig nécessaire necesario necesaria necessário necessario nodig belongs belong offered provided given wieder again offer besteht bestehen arbeiten arbeitet consists comprises comprise compose compte zählt umfasst dispose cuenta hay tiene ha erscheint erscheinen paraît appear
  submit submitted submission hand handed file filed filing abgegeben abgabe abzugeben einzureichen eingereicht rendu rendre remise entrega entregar entregado entregue consegna
  consegnare inleveren сдать сдачи сдача oddać seat seats sit hold quem quien qui chi wer wie kto кто quién
  émis émise émises émet contacted contatado contattato kontaktiert contacté contactado called reached angerufenpeople person persons guests users visitors members personen leute gäste personnes gens personas persone pessoas mensen osób osoby человек
  fires fire sells sold sits entitled enough paid pay pays used uses salita salito steht stehen starten начинается выполняется помещается parte sale sai appears verschijnt unser unsere unserer unserem unseren nuestro nuestra nuestros nuestras nosso nossa nossos nostro nostra notre nos onze ons nasz nasza наш наша нашего
  before until till hangs hangt hängt hängen cuelga pend bleibt bleiben reste restent sigue siguen continua continúa rimane blijft blijven pozostaje остаётся остается remains
  正 需 一 长 度 version versión versão versione versie wersja wersji версия версии take takes taken joined go goes going went fits fit find located looked after again back back-up out wieder dient vão vai courte court tient selbst selber kommt gestellt dafür daran hier bitte y gibt s'y jest y il elle 请 现 还 仍 个 的 得 被 进 行 至 少 多 可 以 超 过 们 
  reject rejects accept accepts restrict restricted retain retained hold holds last lasts staffed collect collected finish finished ship ships launch
  launches deliver delivered arrive arrives happen happens sync syncs synced expire expires renew renewed close closes open opens run runs cost costs
  charge charged worth contain contains count counts include includes pin pinned target targets base based write written send sent return returned
  create created provide provided apply applies enter receive received stay stays remain remains put puts got get gets asked ask asks manage managed
  handle handles handled build builds built follow follows done doing serve serves served execute executed call called begin begun made exist exists
  keep keeps live lives work works done perform performed carry carried cover covers show shows track tracked format formatted formatting generate
  generated produce produced publish published schedule scheduled plan planned host hosted store stored
  big bigger large larger small smaller high higher low lower long longer current currently actual still exactly exclusively always never fully completely
  permanently temporarily officially strictly solely regular usual usually nothing else everything anything everybody everyone all any whole full entire
  only just even again already simply generally normally moment present possible possibly least best up o'clock oclock per once twice please
  nicht nur noch mehr immer bereits derzeit aktuell momentan ausschliesslich dauerhaft vollständig grundsätzlich maximal gesamt alle jeder jede jeden jedes
  beträgt dauert kostet öffnet schliesst beginnt endet fährt gehen geht findet statt lautet möglich gültig gespeichert aufbewahrt erfolgt werden verschickt
  versendet abgelegt erledigt gebaut erstellt verwaltet formatiert benötigt braucht verlangt erlaubt begrenzt beschränkt liegt startet uhr
  toujours seulement actuellement désormais exclusivement uniquement coûte dure ouvre ferme compte accepte généré générée générés géré gérée gérés fait faits
  faite tourne fonctionne passe envoyé envoyés stocké conservé conservés fixé limité limitée exige nécessite aura lieu mis jour tout tous toute toutes
  siempre sólo solo actualmente exclusivamente únicamente cuesta dura abre cierra cuenta celebra hacemos hace hacen gestiona gestionan guarda guardan envía
  envían genera requiere necesita acepta limita todo todos toda todas queda
  sempre apenas atualmente somente exclusivamente custa dura abre fecha conta executados executado executa feito feita feitos gerido gerados exige precisa
  aceita limitado realiza acontece todo todos toda todas rodar fazer
  sempre soltanto attualmente esclusivamente costa dura apre chiude conta tiene svolge fatto fatti gestito inviati richiede accetta tutto tutti tutte va viene
  altijd alleen momenteel uitsluitend kost duurt opent sluit krijgen krijgt gebeurt gaat gaan loopt lopen vindt plaats moeten moet alle elke bewaard
  zawsze tylko obecnie wyłącznie kosztuje trwa wynosi odbywa ma mają jest są robimy wysyłamy używamy wszystkie każdy każda wymaga lub nowszego minimalna
  всегда только сейчас теперь исключительно стоит длится открывается закрывается проходит составляет требует нужно можно все всё каждый каждая идёт идет делаем
  一直 总是 只 全部 所有 均 都 已 还 在 于 由 把 将 会 要 必 须 当 前 起 每 次 し て い る す ま た だ さ れ こ と う な も の ず べ き 行 对 象 り
`)

/** Heads that add little to the word before: `checkout service`, `orders API`. */
export const HEADS: ReadonlySet<string> = wordSet(`
  role setup position stage step rolle stelle rôle poste puesto cargo ruolo service system tool module project repo repository app application server page endpoint job task process feature function component program team
  code data thing item point side site part area place plugin package library client field form file files deadline date time hours day address
  pickup collection meeting appointment session window period usage use
  dienst system modul projekt anwendung seite programm team datei termin frist zeit service système outil projet équipe date heure
  servicio sistema herramienta proyecto equipo fecha hora serviço ferramenta projeto equipe data servizio strumento progetto squadra ora
  dienst systeem project datum tijd usługa system projekt zespół termin служба сервис система проект команда срок время`)

/** A person, without a name. */
export const TITLES: ReadonlySet<string> = wordSet(
  'mr mrs ms miss dr prof herr frau madame monsieur señor señora sr sra senhor senhora dona don professor professora professoressa professore signor signora meneer mevrouw pan pani',
)

/** Leads to what a statement holds of only: a place, a customer, a case. */
export const SCOPES: ReadonlySet<string> = wordSet(`
  to zu zum zur vers hacia naar к without with before after outside inside above below over unless except ohne mit vor nach sans avec avant après sin con tras antes después sem com depois
  senza prima dopo zonder na bez przed po без до после перед между zwischen
  for in on at during within per between under of from inside against
  für im in am an auf bei während innerhalb von vom pro unter zwischen
  pour dans sur chez pendant par de du des en au aux d sous
  para en durante por de del entre sobre
  em no na nos nas do da dos das
  per nel nella nei nelle di del della dei delle su sul sulla durante
  voor op in bij tijdens van
  dla w we na do podczas z od dla
  для в во на при из у`)

/** A case of its own begins, and ends with a comma. */
export const FRAMES: ReadonlySet<string> = wordSet(`
  before after above below over inside vor nach über ab avant après tras antes después depois prima dopo przed po до после перед
  for in on at during within with without outside under for among between
  für im in am an auf bei während mit ohne pour dans sur chez pendant avec sans en au aux
  para en con sin durante com sem em no na nos nas aos ao às só per nel nella con senza su voor op in bij met zonder
  dla w na przy z bez для в во на при с без`)

/** From some day on something is otherwise. */
export const SINCE: ReadonlySet<string> = wordSet(`
  since starting effective seit ab depuis dès desde partir sinds vanaf od с начиная 自 从 自从 起 以来`)

/** The thing that the part before speaks of. */
export const IT: ReadonlySet<string> = wordSet('it es er sie il elle он она оно')

/** Leads to when something changed. */
export const AFTER: ReadonlySet<string> = wordSet(
  'when after following nach après depuis tras después após depois dopo na po после',
)

export const CUES: ReadonlySet<string> = wordSet(`
  now nowadays only exclusively instead since starting longer anymore longer currently finally already slipped pushed bumped handed took switched moved
  raised extended lowered changed 
  jetzt nun mittlerweile inzwischen nur künftig seit ab neuerdings neu mehr verschoben verlängert übernommen übergeben gewechselt
  maintenant désormais uniquement depuis dorénavant seulement plus reporté repoussé prolongé repris
  ahora actualmente desde solo sólo únicamente ya aplazó aplazado prorrogado
  agora desde apenas somente já passou adiado prorrogado
  ora adesso solo ormai ormai d'ora spostato rinviato prorogato
  nu voortaan sinds tegenwoordig alleen verlengd uitgesteld
  teraz obecnie tylko od już przedłużono przesunięto wyłącznie
  теперь сейчас отныне только уже с перенесли продлили продлён передали
  现在 目前 如今 已 已经 改为 改到 延期 推迟 起 今 現在 今は 今後 延期 変更`)

/** Names of roles: who has one has not the other. */
export const ROLES: ReadonlySet<string> = wordSet(`
  treasurer secretary captain chairman chairwoman chairperson president representative speaker deputy host organizer organiser editor principal mayor moderator steward
  kassier kassiererin sprecher sprecherin vorsitzender vorsitzende trésorier trésorière président présidente secrétaire tesorero tesorera presidente presidenta
  secretario secretaria tesoureiro tesoriere segretario voorzitter penningmeester skarbnik prezes казначей председатель adviser advisor accountant lawyer doctor dentist plumber architect trainer coach teacher tutor driver gardener caretaker landlord supplier courier photographer caterer translator bank insurer contractor manager lead owner reviewer maintainer`)

/** Someone holds, does or answers for it alone. */
export const HOLDING: ReadonlySet<string> =
  wordSet(`treasurer secretary captain chairman chairwoman chairperson president representative speaker deputy host organizer organiser editor principal mayor moderator steward elected appointed
  assigned handed maintenance kassier kassiererin sprecher sprecherin vorsitzender vorsitzende vertritt trésorier trésorière président présidente secrétaire suivi suivie tesorero tesorera presidente presidenta
  secretario secretaria tesoureiro aprova aprovadas aprovados aprovada aprovado aprueba firma tesoriere segretario voorzitter penningmeester skarbnik prezes казначей председатель taught teaches tenuto tenuta tiene insegna enseigne enseña ensina unterrichtet uczy signed signs approved moderates moderated chaired done erledigt fait hecho feito fatto gedaan responsabilidade responsabilité responsabilidad 维护 管理 处理look answer answers answered held hold holds maintain handle manage attend lies adviser advisor accountant lawyer doctor dentist plumber architect trainer coach teacher tutor driver gardener caretaker landlord supplier carrier courier photographer caterer translator bank insurer contractor berater steuerberater anwalt anwältin arzt ärztin hausmeister vermieter trainer lehrer gärtner gère gérer géré gérée médecin avocat avocate comptable encargan cuida asesor contador médico abogado abogada médica advogado advogada consulente avvocato commercialista medico huisarts advocaat boekhouder lekarz prawnik księgowy księgowa врач юрист бухгалтер ведет отвечают 负责 负责人 律师 医生 会计 担当 担当者 弁護士 
  responsible owner owns owned own charge handles handled looks reviews reviewer review runs run leads lead led manages managed maintains maintained
  maintainer contact ask asks go goes belongs belong handed took takes kept keeps key person decides approves approver signs covers coordinates
  verantwortlich zuständig betreut betreuen leitet kümmert übernimmt übernommen übergeben verwaltet pflegt gehört ansprechpartner ansprechpartnerin
  responsable s'occupe occupe gère suit référent référente dirige confié confiée
  encarga encargado encargada responsable lleva gestiona atiende dirige
  responsável cuida atende atendida atendido gerencia lidera
  referente responsabile segue gestisce occupa cura
  verantwoordelijk beheert regelt verzorgt leidt
  odpowiada odpowiedzialny odpowiedzialna zajmuje prowadzi opiekuje
  отвечает ответственный ответственная ведёт ведет занимается руководит
`)

/** Where something is, beside what `located` knows. */
export const PLACED: ReadonlySet<string> = wordSet(`place takes 
  findet written escriben escribe geschrieben écrit écrits deployed sede sitz siège siege headquarters headquarter siedzibę siedziba zetel held happens lieu hat unloaded loaded served parked plugged installed mounted deployed hosted delivered
  hängen stehen pendent penden guardan guarda guardam ficam hang stand lie is are sits sit lives live hangs stands lies land lands starts start begins ends meet meets happens kept stored located parked parks
  ist sind steht stehen liegt liegen hängt befindet est sont se trouve está están fica ficam è sono si trova is zijn staat ligt hangt
  jest są stoi leży znajduje находится лежит стоит висит хранится`)

/** A tool stands behind it. */
export const BY_MEANS: ReadonlySet<string> = wordSet(`
  with using via through by in to mit mittels per über in avec via par sous dans con mediante en com via no na em tramite
  met via in z przez w за с через в на`)

/** Takes a tool as its object. */
export const USES: ReadonlySet<string> = wordSet(`
  use uses used using nutzen nutzt nutze verwenden verwendet verwende utilise utilisons utilisent utiliser usa usan usamos usar usiamo usano
  utiliza utilizan utilizamos utilizzano utilizza utilizziamo gebruik gebruiken gebruikt używa używamy używają używać используем использует используют`)

/** Says of work that it is done. */
export const WORKING: ReadonlySet<string> =
  wordSet(`émis émise émises émet émettre rédigé rédigés planifié planifiés verstuurd geregeld issued issue drafted drafts draw drawn train trained archived archive backed scanned shared synced invoiced registered registriert erfasst gebucht archiviert geplant saisi saisie organisé organisées registra registran gestionadas emiten emitimos go goes collected collect reported report recorded saved sketched billed invoiced translated booked called ordered charged authenticated authenticate log logged search searched queued cached delivered transported 
  use uses used manage managed manages track tracked tracks format formatted formats build built builds deploy deployed deploys test tested tests run runs
  running generate generated generates send sent sends write written host hosted process processed store stored monitor monitored render rendered
  switched migrated moved replaced pay paid make made create created design designed plan planned bundle bundled compile compiled lint linted publish
  published sign signed schedule scheduled edit edited handle handled keep kept do done print printed bake baked wash washed clean cleaned
  nutzen nutzt verwenden verwaltet verwalten bauen gebaut erstellt erstellen läuft laufen schicken verschickt verschicken formatiert getestet betrieben
  gehostet buchen planen schreiben geschrieben
  utilise utilisons utiliser gère gérons généré générés tourne envoyons envoyés faisons faits écrit écrits hébergé déployons déployé construit
  usamos usa usan utiliza utilizamos hacemos hace gestionamos enviamos escribimos desplegamos generamos
  usamos usa utiliza fazemos enviamos gerimos escrevemos gerado executados enviados
  usiamo usa utilizziamo facciamo gestiamo inviamo scriviamo generato gestito
  gebruiken gebruikt beheren maken versturen schrijven gemaakt gebouwd
  używamy używa robimy wysyłamy piszemy budujemy prowadzimy zarządzamy
  используем использует делаем отправляем пишем собираем ведём ведем храним`)

export const ROUTES: ReadonlySet<string> = wordSet(
  'run use using call type execute start launch command run ejecuta ejecutar usa usar use utiliser lancer lance exécuter ausführen starte rode rodar executar esegui lanciare draai voer uruchom запустить запускать 使用 用 使う 运行 実行 执行',
)

/** Every so often. */
export const EVERY: ReadonlySet<string> = wordSet(
  'every each alle jede jeden toutes tous cada ogni elke iedere om co każde każdy каждые каждый каждую 每 每隔 毎',
)

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** In milliseconds; of months and years another unit. */
export const FREQUENCIES: ReadonlyMap<string, string> = new Map(
  (
    [
      [`${HOUR} time`, 'hourly stündlich'],
      [
        `${DAY} time`,
        'daily nightly täglich quotidien quotidienne quotidiennement diario diaria diariamente diário diária giornaliero giornalmente dagelijks codziennie ежедневно 每天 毎日',
      ],
      [
        `${7 * DAY} time`,
        'weekly wöchentlich hebdomadaire semanal semanalmente semanalmente settimanale settimanalmente wekelijks tygodniowo еженедельно 每周 毎週',
      ],
      [
        '1 month',
        'monthly monatlich mensuel mensuelle mensual mensualmente mensal mensalmente mensile mensilmente maandelijks miesięcznie ежемесячно 每月 毎月',
      ],
      ['3 month', 'quarterly vierteljährlich trimestriel trimestral trimestrale ежеквартально'],
      [
        '12 month',
        'yearly annually jährlich annuel annuellement anual anualmente annuale jaarlijks rocznie ежегодно 每年 毎年',
      ],
    ] as const
  ).flatMap(([key, words]) => wordsOf(words).map((word): [string, string] => [word, key])),
)

/** Leads to the time of a rate. */
export const PER: ReadonlySet<string> = wordSet('a an per each every pro par al por à ao op na в')

/** After `every`, without a number. */
export const SPANS: ReadonlyMap<string, string> = new Map(
  (
    [
      [`${HOUR} time`, 'hour stunde heure hora ora uur godzinę час'],
      [`${DAY} time`, 'day night morning evening tag jour día dia giorno dag dzień день'],
      [`${7 * DAY} time`, 'week woche semaine semana settimana week tydzień неделю'],
      ['1 month', 'month monat mois mes mês mese maand miesiąc месяц'],
      ['12 month', 'year jahr an año ano anno jaar rok год'],
    ] as const
  ).flatMap(([key, words]) => wordsOf(words).map((word): [string, string] => [word, key])),
)

/** What has one date, or comes again at one time. */
export const DATED: ReadonlySet<string> = wordSet(`
  is are due deadline until till by ships ship launches launch expires expire closes close opens open starts start begins begin ends end must finished
  scheduled planned happens happen takes meets meet runs run held every collected collection pickup delivered syncs extended postponed moved slipped
  pushed release arrives leaves departs due fällig frist bis endet beginnt startet läuft findet ist sind jeden montags erscheint ablauf fährt geplant
  est sont avant jusqu'au jusqu expire commence débute finit termine ouvre ferme lieu tous chaque prévu prévue reporté reportée échéance
  es son hasta antes vence termina empieza comienza cierra abre celebra cada todos plazo fecha
  é são até antes vence termina começa fecha abre acontece toda todo prazo
  è sono entro fino scade finisce inizia comincia chiude apre tiene svolge ogni scadenza
  is zijn tot voor uiterlijk verloopt eindigt begint sluit opent vindt elke krijgen krijgt komt
  jest są do wygasa kończy zaczyna rozpoczyna odbywa każdy każdą termin mija przedłużono
  до истекает заканчивается начинается закрывается открывается проходит каждый каждую по срок перенесли
  は 在 是 截止 到期 开始 结束 举行 締め切り 締切 開始 終了 期限 まで です 毎週 每周`)

/** In scripts without spaces: stands beside the value. */
export const DENSE_SLOTS: readonly (readonly [
  kind: 'owner' | 'place' | 'command',
  words: ReadonlySet<string>,
])[] = [
  ['owner', wordSet('由 负责 担当 担当者 维护 管理 负责人')],
  ['place', wordSet('在 位于 放 放在 存放 部署 迁移到 迁移至 搬到 到 至 置 あ あり ある あります')],
  ['command', wordSet('用 使用 使う 改用 换成 通过 采用')],
]

/** What is done or happens: words of one group speak of one thing, and of another than those of another group. */
export const ACTS: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        'start',
        'open opens opening start starts begin begins arrive arrives check-in öffnet öffnen beginnt beginnen anreise ouvre commence début abre empieza comienza começa apre inizia inizio opent begint otwiera zaczyna rozpoczyna открывается начинается начало 開始 开始 开门 開きます 開店',
      ],
      [
        'end',
        'close closes closing end ends finish finishes leave leaves depart departs check-out schliesst schliessen endet enden abreise ferme finit termine fin cierra termina acaba fecha chiude finisce fine sluit eindigt zamyka kończy закрывается заканчивается конец 終了 结束 关门 閉店 閉まります',
      ],
      ['live', 'lives wohnt lebt habite vive mora abita woont mieszka живёт живет'],
      ['work', 'works arbeitet travaille trabaja trabalha lavora werkt pracuje работает'],
      ['own', 'owns owner owned'],
      ['review', 'reviews reviewer reviewed'],
      ['request', 'request requests'],
      ['answer', 'response responses'],
    ] as const
  ).flatMap(([act, words]) => wordsOf(words).map((word): [string, string] => [word, act])),
)

/** Leads to a place, beside the words of `placing`. */
export const BESIDE: ReadonlySet<string> = wordSet(`
  lado left right behind beside next above below near over hinter neben über vor derrière devant détrás junto debajo encima atrás embaixo dietro sotto sopra achter naast
  boven onder za nad pod obok przy за над под рядом около`)

/** Leads to the name of who holds something. */
export const HOLDER_LEADS: ReadonlySet<string> = wordSet(`
  to by with is are ask contact call through via an bei von ist durch à par est avec a por es con é pelo pela com a da è con aan door is bij do przez jest к через у это :`)

/** Wants something, or is treated in some way. */
export const WISHES: ReadonlySet<string> = wordSet(`
  written replies answered answers respond responds replied addressed asking prefer prefers preferred want wants wanted like likes love loves dislikes asked asks keep use write address send speak call contact reply answer give takes
  drinks favours needs chooses möchte bevorzugt will wünscht mag liebt schreiben antworten préfère veut souhaite aime demande prefiere quiere desea pide gusta prefere quer gosta
  pede preferisce vuole chiede ama wil verkiest vraagt woli chce lubi preferuje prosi предпочитает хочет любит просит 喜欢 偏好 想要 希望 好む 好き 希望`)

/** What follows is not what is wanted. */
export const DECLINED: ReadonlySet<string> = wordSet(
  'over not never no rather than instead nicht nie kein statt als pas jamais plutôt que no nunca em vez não nunca non mai piuttosto niet nooit liever dan nie nigdy не никогда а 不 而不是',
)

/** With a number they say where: `room 3`. */
export const PLACES: ReadonlySet<string> = wordSet(`
  room rooms hall gate floor building zone shelf locker aisle bay desk dock raum zimmer halle etage tor regal salle étage bâtiment quai
  sala habitación planta piso edificio puerta quarto andar prédio portão stanza aula piano edificio kamer zaal verdieping pokój sala piętro комната этаж зал`)
