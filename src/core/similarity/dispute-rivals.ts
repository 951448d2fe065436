import { listAt } from '../base/collections.ts'
import { rowsOf } from './fact-words.ts'

// Values of which one thing has one at a time. Two words of different members of one row exclude each other; words of one
// member are translations or spellings of one value. Chosen by hand, from what notes about work and people speak of.

/** Of two words that exclude each other in several rows the first counts. */
const RIVAL_ROWS = ['state', 'frequency', 'channel', 'taste', 'language', 'value', 'tool'] as const
export type RivalRow = (typeof RIVAL_ROWS)[number]

export interface Rival {
  readonly row: RivalRow
  readonly set: number
  readonly member: number
}

/** A set a line, its members between `|`. */
const SETS: Readonly<Record<RivalRow, string>> = {
  state: `
    pending ausstehend pendiente pendente ожидает 待处理 | processing | shipped versendet expédié enviado | delivered geliefert livré entregado entregue доставлен
      | cancelled canceled storniert annulé cancelado отменён отменен 已取消 | returned | refunded | confirmed bestätigt confirmé confirmado
    packed | shipped unterwegs | delivered
    review waiting prüfung überprüfung bearbeitung behandeling revisión revisão revisione | closed geschlossen cerrado cerrada fechado fechada chiuso gesloten | merged
      | done erledigt | open | draft | released
    beta alpha preview experimental | ga stable | deprecated
    approved accepted angenommen genehmigt approuvé aprobado aprovado approvato goedgekeurd
      | rejected declined refused abgelehnt rejeté rechazado recusado respinto afgekeurd
      | pending review processing processed prüfung bearbeitung behandeling revisión revisão revisione
    delayed verspätet retrasado atrasado vertraagd | time pünktlich punctual
    progress arbeit | finished done fertig terminé terminado concluído finito klaar готов
    progress pending waiting review unpaid blocked | resolved fixed done finished completed closed merged shipped delivered answered paid
    read-only readonly | writable read-write
    include includes including inclusive inklusive | exclude excludes excluding exclusive exklusive
    available | loan lent borrowed ausgeliehen verliehen
    todo | doing | done erledigt | blocked
    draft entwurf brouillon borrador | published veröffentlicht publié publicado | archived archiviert archivé
    on an allumé allumée encendido encendida ligado ligada acceso accesa | off aus éteint éteinte apagado apagada desligado desligada spento spenta
    running läuft | failed fehlgeschlagen | stopped paused suspended gestoppt angehalten
    paid bezahlt | unpaid overdue unbezahlt überfällig
    locked abgeschlossen | unlocked
    verified | unverified
    confirmed | unconfirmed tentative
    signed | unsigned
    assigned | unassigned
    occupied taken booked gebucht belegt besetzt occupé ocupado | vacant free frei libre livre
    complete vollständig | incomplete unvollständig
    full voll plein pleine lleno llena cheio cheia pieno piena vol полон | empty leer vide vacío vacía vazio vazia vuoto vuota leeg пуст
    ongoing open offen geöffnet ouvert ouverte abierto abierta aberto aberta aperto открыт открыто 打开
      | closed fixed resolved résolu gelöst resuelto resolvido risolto opgelost решён geschlossen fermé fermée cerrado cerrada fechado fechada chiuso закрыт закрыто 关闭
      | resolved | reopened wiedereröffnet rouvert rouverte reabierto reabierta reaberto reaberta riaperto riaperta heropend | frozen gesperrt gelé congelado
    online remote remotely virtual | onsite
    operational functional working betriebsbereit funktionsfähig opérationnel operativo operacional исправен
      | broken defective faulty defekt kaputt cassé averiado quebrado guasto сломан
    running works repaired funktioniert fonctionne fonctionner refonctionne remarche funciona funcionar funziona funzionare werkt läuft repariert réparé réparée reparado reparada riparato riparata gerepareerd работает починен починили отремонтирован 正常 修好
      | broken defective dead gestört panne kaputt defekt cassé cassée averiado averiada estropeado estropeada avariado avariada quebrado quebrada guasto guasta rotto rotta kapot stuk сломан сломана сломано неисправен 故障
    healthy gesund | degraded lagging failing broken | down
    operational online | down offline unreachable
    paused suspended | resumed active ongoing operational running
    works funktioniert fonctionne fonctionner refonctionne funciona funcionar funziona funzionare werkt läuft работает
      | ausgeschaltet abgeschaltet éteint éteinte apagado apagada desligado desligada spento spenta uitgeschakeld выключен выключена отключён отключен
    progress development entwicklung développement desarrollo desenvolvimento sviluppo ontwikkeling разработке 开发 开发中
      | released live veröffentlicht publié publicado publicada pubblicato выпущен выпущена 上线 发布
    public öffentlich publique público pubblico публичный 公开 | private privat privé privado privato приватный 私有 | internal intern
    married verheiratet marié mariée casado casada | single ledig célibataire soltero soltera | divorced geschieden divorcé
    green grün | red rot | yellow gelb
    free kostenlos gratuit gratuite gratis gratuito gratuita | paid kostenpflichtig payant payante pago paga
    dry trocken sec sèche seco seca asciutto asciutta сухой
      | wet damp feucht nass humide mouillé mojado mojada húmedo húmeda úmido úmida umido umida bagnato мокрый влажный
    passed bestanden | failed fehlgeschlagen
    enabled aktiviert activé activée habilitado habilitada activado activada ativado abilitato включён включен включена включено 启用
      | disabled deaktiviert désactivé désactivée deshabilitado deshabilitada desactivado desactivada desativado disabilitato выключен выключена выключено отключён отключен отключена отключено 禁用
    active aktiv actif active activo activa ativo attivo активен активна | inactive inaktiv inactif inactivo inativo inattivo неактивен
      | suspended suspendido suspendida suspenso suspensa sospeso sospesa
    available stock verfügbar vorrätig disponible | unavailable sold ausverkauft épuisé agotado esgotado
    required mandatory erforderlich obligatorisch pflicht obligatoire obligatorio obligatoria obrigatório obbligatorio verplicht обязательно обязателен обязательна 必须 必填
      | optional freiwillig facultatif optionnel opcional facoltativo optioneel необязательно 可选
    allowed permitted erlaubt autorisé autorisée permitido permitida permesso toegestaan разрешено разрешён разрешен 允许
      | forbidden prohibited banned disallowed verboten interdit interdite prohibido prohibida proibido vietato verboden запрещено запрещён запрещен 禁止
    parallel parallelly concurrently gleichzeitig | sequential sequentially serially serial nacheinander sequenziell
    synchronous synchron synchrone síncrono | asynchronous asynchron asynchrone asíncrono
    automatic automatically automatisch automatique automatiquement automático automáticamente automaticamente automatica автоматически
      | manual manually hand manuell manuel manuellement manualmente вручную
    stable stabil | unstable instabil flaky
    encrypted verschlüsselt chiffré cifrado | unencrypted plaintext unverschlüsselt`,
  frequency: `
    hourly stündlich | daily täglich quotidien diario diariamente diário giornaliero dagelijks ежедневно 每天
      | weekly wöchentlich hebdomadaire semanal semanalmente settimanale wekelijks еженедельно 每周
      | monthly monatlich mensuel mensuelle mensual mensal mensile maandelijks ежемесячно 每月 | quarterly vierteljährlich trimestriel trimestral ежеквартально
      | yearly annually annual jährlich annuel anual annuale jaarlijks ежегодно 每年 | twice-daily | twice-weekly | twice-monthly | twice-yearly`,
  channel: `
    email e-mail mail correo courriel 邮件 メール | post postal brief letter courrier | phone telefon téléphone teléfono telefone telefono телефон телефону 电话 電話 | sms text
      | chat | slack | teams | telegram | signal | discord | fax | whatsapp | boleto | pix | card karte kreditkarte carte tarjeta cartão carta картой
      | cash bar efectivo dinheiro contanti наличными | transfer überweisung virement transferencia transferência bonifico | paypal | invoice rechnung facture`,
  taste: `
    aisle gang couloir pasillo corredor corridoio gangpad | window fenster fensterplatz fenêtre hublot ventana ventanilla janela finestrino raam
    dark dunkel dunkle dunklen dunkles sombre oscuro oscura escuro scuro donker тёмная темная тёмный 深色 暗色
      | light hell helle hellen helles clair claro clara chiaro licht светлая светлый 浅色 亮色
    tabs tab tabulatoren | spaces space leerzeichen espaces espacios
    warm warme warmes chaud cálido quente caldo | cool cold kühl kalt froid frío frio freddo
    metric metrisch métrique métrico | imperial
    formal formell formel | informal informell casual informel
    short brief kurz kurze court breve | long detailed ausführlich lang lange détaillé largo
    vegetarian vegetarisch végétarien vegetariano | vegan végan vegano | kosher | halal
    morning vormittag matin mañana manhã | afternoon nachmittag après-midi tarde | evening abend soir noche noite`,
  language: `
    英語 english englisch englische englischen anglais inglés inglês inglese engels английском английский 英语 英文 英語
      | german deutsch deutsche deutschen allemand alemán alemão tedesco duits немецком немецкий 德语 德文 ドイツ語
      | french französisch français francés francês francese frans французском французский 法语 | spanish spanisch espagnol español espanhol spagnolo spaans испанском 西班牙语
      | portuguese portugiesisch portugais portugués português | italian italienisch italien italiano | dutch niederländisch néerlandais holandés nederlands
      | russian russisch russe ruso russo русском русский 俄语 | chinese chinesisch chinois chino chinês 中文 汉语 | japanese japanisch japonais japonés 日本語 日语
      | korean koreanisch coréen 韩语 한국어 | polish polnisch polski | turkish türkisch türkçe | arabic arabisch arabe العربية
    british | american`,
  value: `
    red rot rote roten rouge rojo roja vermelho vermelha rosso rossa rood красный красная красные
      | green grün grüne grünen vert verte verde groen зелёный зелёная зелёные | blue blau blaue blauen bleu bleue azul blu blauw синий синяя синие
      | yellow gelb gelbe gelben jaune amarillo amarilla amarelo amarela giallo gialla geel жёлтый жёлтая жёлтые
      | black schwarz schwarze schwarzen noir noire negro negra preto preta nero nera zwart чёрный чёрная чёрные
      | white weiss weisse weissen blanc blanche blanco blanca branco branca bianco bianca wit белый белая белые
      | grey gray grau graue grauen gris cinza cinzento grigio grigia grijs серый серая серые
      | brown braun braune brun brune marrón marrom castanho marrone bruin коричневый | orange oranje naranja laranja arancione оранжевый | pink rosa roze розовый
      | purple violet lila violett roxo viola paars фиолетовый | silver silber silbern argent plata prata argento zilver | gold golden doré dorado dourado dorato goud
      | beige cream creme
    spring frühling printemps primavera lente | summer sommer été verano verão estate zomer | autumn fall herbst automne otoño outono autunno herfst
      | winter hiver invierno inverno
    trace | debug | info | warn warning | error | fatal
    localtime ortszeit | utc gmt | cet | pst | est
    miles meilen miglia | kilometres kilometers kilometern kilomètres kilómetros chilometri
    integer integers int | float floats double | decimal decimals | string strings varchar
    portrait hochformat retrato | landscape querformat paisaje
    mp3 | aac | flac | wav | ogg | opus | m4a
    png | jpeg jpg | webp | svg | gif | avif | tiff
    pdf | docx odt | markdown md | html
    protobuf | avro | json | xml | thrift | msgpack
    tcp | udp | quic
    http | https
    centimetres cm | inches
    celsius | fahrenheit | kelvin`,
  tool: `
    camelcase | snake_case | pascalcase | kebab-case
    npm | yarn | pnpm | bun
    pip | poetry | uv | conda | pipenv
    jest | vitest | mocha | jasmine | ava
    pytest | unittest | nose
    cypress | playwright | selenium | puppeteer
    eslint | biome | oxlint | tslint | standardjs
    black | ruff | yapf | autopep8
    prettier | dprint
    webpack | vite | rollup | parcel | esbuild
    maven | gradle | bazel | ant
    make | cmake | meson | ninja
    postgres postgresql | mysql | mariadb | sqlite | oracle | mongodb mongo | dynamodb | cassandra | mssql
    redis | memcached | valkey
    kafka | rabbitmq | sqs | nats | pulsar
    aws | gcp | azure | hetzner | heroku | digitalocean
    jenkins | circleci | travis | buildkite | teamcity | gitlab-ci
    docker | podman
    kubernetes k8s | nomad | swarm | ecs
    git | svn subversion | mercurial
    github | gitlab | bitbucket | gitea
    jira | linear | trello | asana
    react | vue | angular | svelte
    express | fastify | koa | hapi
    django | flask | fastapi
    rest | graphql | grpc | soap
    json | yaml | toml | xml | csv
    rebase | squash | merge
    vim neovim | emacs | vscode | intellij | sublime
    bash | zsh | fish | powershell
    visa | mastercard | amex
    stripe | adyen | braintree | mollie
    utf-8 utf8 | latin-1 iso-8859-1 | utf-16
    euro euros eur | dollar dollars usd | gbp pounds | cents`,
}

/** By word: what it is the value of. */
export const RIVALS: ReadonlyMap<string, readonly Rival[]> = rivalsByWord()

function rivalsByWord(): ReadonlyMap<string, readonly Rival[]> {
  const rivals = new Map<string, Rival[]>()
  const sets = RIVAL_ROWS.flatMap((row) => rowsOf(SETS[row]).map((members) => ({ row, members })))
  for (const [set, { row, members }] of sets.entries()) {
    for (const [member, words] of members.entries()) {
      for (const word of words) listAt(rivals, word).push({ row, set, member })
    }
  }
  return rivals
}

/** The row in which two words are different members of one set; null when they exclude each other in none. */
export function rivalry(one: string, other: string): RivalRow | null {
  const left = RIVALS.get(one)
  const right = left === undefined ? undefined : RIVALS.get(other)
  if (left === undefined || right === undefined) return null
  for (const a of left) for (const b of right) if (a.set === b.set && a.member !== b.member) return a.row
  return null
}
