import { listAt } from '../base/collections.ts'
import { wordsOf } from './fact-words.ts'

// Values of which one thing has one at a time. Two words of different members of one row exclude each other; words of one
// member are translations or spellings of one value. Chosen by hand, from what notes about work and people speak of.

export type RivalRow = 'state' | 'frequency' | 'channel' | 'taste' | 'language' | 'tool' | 'value'

export interface Rival {
  readonly row: RivalRow
  readonly set: number
  readonly member: number
}

const SETS: readonly (readonly [row: RivalRow, members: string])[] = [
  [
    'state',
    `pending ausstehend pendiente pendente ожидает 待处理 | processing | shipped versendet expédié enviado | delivered geliefert livré entregado
     entregue доставлен | cancelled canceled storniert annulé cancelado отменён отменен 已取消 | returned | refunded | confirmed bestätigt confirmé
     confirmado`,
  ],
  ['state', 'packed | shipped unterwegs | delivered'],
  [
    'state',
    'review waiting prüfung überprüfung bearbeitung behandeling revisión revisão revisione | closed geschlossen cerrado cerrada fechado fechada chiuso gesloten | merged | done erledigt | open | draft | released',
  ],
  ['state', 'beta alpha preview experimental | ga stable | deprecated'],
  [
    'state',
    'approved accepted angenommen genehmigt approuvé aprobado aprovado approvato goedgekeurd | rejected declined refused abgelehnt rejeté rechazado recusado respinto afgekeurd | pending review processing processed prüfung bearbeitung behandeling revisión revisão revisione',
  ],
  ['state', 'delayed verspätet retrasado atrasado vertraagd | time pünktlich punctual'],
  ['state', 'progress arbeit | finished done fertig terminé terminado concluído finito klaar готов'],
  [
    'state',
    'progress pending waiting review unpaid blocked | resolved fixed done finished completed closed merged shipped delivered answered paid',
  ],
  ['state', 'read-only readonly | writable read-write'],
  [
    'state',
    'include includes including inclusive inklusive | exclude excludes excluding exclusive exklusive',
  ],
  ['state', 'available | loan lent borrowed ausgeliehen verliehen'],
  ['state', 'todo | doing | done erledigt | blocked'],
  [
    'state',
    'draft entwurf brouillon borrador | published veröffentlicht publié publicado | archived archiviert archivé',
  ],
  [
    'state',
    'on an allumé allumée encendido encendida ligado ligada acceso accesa | off aus éteint éteinte apagado apagada desligado desligada spento spenta',
  ],
  ['state', 'running läuft | failed fehlgeschlagen | stopped paused suspended gestoppt angehalten'],
  ['state', 'paid bezahlt | unpaid overdue unbezahlt überfällig'],
  ['state', 'locked abgeschlossen | unlocked'],
  ['state', 'verified | unverified'],
  ['state', 'confirmed | unconfirmed tentative'],
  ['state', 'signed | unsigned'],
  ['state', 'assigned | unassigned'],
  ['state', 'occupied taken booked gebucht belegt besetzt occupé ocupado | vacant free frei libre livre'],
  ['state', 'complete vollständig | incomplete unvollständig'],
  [
    'state',
    'full voll plein pleine lleno llena cheio cheia pieno piena vol полон | empty leer vide vacío vacía vazio vazia vuoto vuota leeg пуст',
  ],
  [
    'state',
    'ongoing open offen geöffnet ouvert ouverte abierto abierta aberto aberta aperto открыт открыто 打开 | closed fixed resolved résolu gelöst resuelto resolvido risolto opgelost решён geschlossen fermé fermée cerrado cerrada fechado fechada chiuso закрыт закрыто 关闭 | resolved | reopened wiedereröffnet rouvert rouverte reabierto reabierta reaberto reaberta riaperto riaperta heropend | frozen gesperrt gelé congelado',
  ],
  ['state', 'online | offline'],
  ['state', 'online remote remotely virtual | onsite'],
  [
    'state',
    'operational functional working betriebsbereit funktionsfähig opérationnel operativo operacional исправен | broken defective faulty defekt kaputt cassé averiado quebrado guasto сломан',
  ],
  [
    'state',
    'running works repaired funktioniert fonctionne fonctionner refonctionne remarche funciona funcionar funziona funzionare werkt läuft repariert réparé réparée reparado reparada riparato riparata gerepareerd работает починен починили отремонтирован 正常 修好 | broken defective dead gestört panne kaputt defekt cassé cassée averiado averiada estropeado estropeada avariado avariada quebrado quebrada guasto guasta rotto rotta kapot stuk сломан сломана сломано неисправен 故障',
  ],
  ['state', 'healthy gesund | degraded lagging failing broken | down'],
  ['state', 'operational online | down offline unreachable'],
  ['state', 'paused suspended | resumed active ongoing operational running'],
  [
    'state',
    'works funktioniert fonctionne fonctionner refonctionne funciona funcionar funziona funzionare werkt läuft работает | ausgeschaltet abgeschaltet éteint éteinte apagado apagada desligado desligada spento spenta uitgeschakeld выключен выключена отключён отключен',
  ],
  [
    'state',
    'progress development entwicklung développement desarrollo desenvolvimento sviluppo ontwikkeling разработке 开发 开发中 | released live veröffentlicht publié publicado publicada pubblicato выпущен выпущена 上线 发布',
  ],
  [
    'state',
    'public öffentlich publique público pubblico публичный 公开 | private privat privé privado privato приватный 私有 | internal intern',
  ],
  [
    'state',
    'married verheiratet marié mariée casado casada | single ledig célibataire soltero soltera | divorced geschieden divorcé',
  ],
  ['state', 'green grün | red rot | yellow gelb'],
  [
    'state',
    'free kostenlos gratuit gratuite gratis gratuito gratuita | paid kostenpflichtig payant payante pago paga',
  ],
  [
    'state',
    'dry trocken sec sèche seco seca asciutto asciutta сухой | wet damp feucht nass humide mouillé mojado mojada húmedo húmeda úmido úmida umido umida bagnato мокрый влажный',
  ],
  ['state', 'passed bestanden | failed fehlgeschlagen'],
  [
    'state',
    'enabled aktiviert activé activée habilitado habilitada activado activada ativado abilitato включён включен включена включено 启用 | disabled deaktiviert désactivé désactivée deshabilitado deshabilitada desactivado desactivada desativado disabilitato выключен выключена выключено отключён отключен отключена отключено 禁用',
  ],
  [
    'state',
    'active aktiv actif active activo activa ativo attivo активен активна | inactive inaktiv inactif inactivo inativo inattivo неактивен | suspended suspendido suspendida suspenso suspensa sospeso sospesa',
  ],
  [
    'state',
    'available stock verfügbar vorrätig disponible | unavailable sold ausverkauft épuisé agotado esgotado',
  ],
  [
    'state',
    'required mandatory erforderlich obligatorisch pflicht obligatoire obligatorio obligatoria obrigatório obbligatorio verplicht обязательно обязателен обязательна 必须 必填 | optional freiwillig facultatif optionnel opcional facoltativo optioneel необязательно 可选',
  ],
  [
    'state',
    'allowed permitted erlaubt autorisé autorisée permitido permitida permesso toegestaan разрешено разрешён разрешен 允许 | forbidden prohibited banned disallowed verboten interdit interdite prohibido prohibida proibido vietato verboden запрещено запрещён запрещен 禁止',
  ],
  [
    'state',
    'parallel parallelly concurrently gleichzeitig | sequential sequentially serially serial nacheinander sequenziell',
  ],
  ['state', 'synchronous synchron synchrone síncrono | asynchronous asynchron asynchrone asíncrono'],
  [
    'state',
    'automatic automatically automatisch automatique automatiquement automático automáticamente automaticamente automatica автоматически | manual manually hand manuell manuel manuellement manualmente вручную',
  ],
  ['state', 'stable stabil | unstable instabil flaky'],
  ['state', 'encrypted verschlüsselt chiffré cifrado | unencrypted plaintext unverschlüsselt'],
  [
    'frequency',
    `hourly stündlich | daily täglich quotidien diario diariamente diário giornaliero dagelijks ежедневно 每天 | weekly wöchentlich hebdomadaire semanal
     semanalmente settimanale wekelijks еженедельно 每周 | monthly monatlich mensuel mensuelle mensual mensal mensile maandelijks ежемесячно 每月 | quarterly
     vierteljährlich trimestriel trimestral ежеквартально | yearly annually annual jährlich annuel anual annuale jaarlijks ежегодно 每年 | twice-daily | twice-weekly | twice-monthly | twice-yearly`,
  ],
  [
    'channel',
    `email e-mail mail correo courriel 邮件 メール | post postal brief letter courrier | phone telefon téléphone teléfono telefone telefono телефон телефону 电话 電話 | sms text |
     chat | slack | teams | telegram | signal | discord | fax | whatsapp | boleto | pix | card karte kreditkarte carte tarjeta cartão carta картой | cash bar efectivo dinheiro contanti наличными | transfer
     überweisung virement transferencia transferência bonifico | paypal | invoice rechnung facture`,
  ],
  [
    'taste',
    'aisle gang couloir pasillo corredor corridoio gangpad | window fenster fensterplatz fenêtre hublot ventana ventanilla janela finestrino raam',
  ],
  [
    'taste',
    'dark dunkel dunkle dunklen dunkles sombre oscuro oscura escuro scuro donker тёмная темная тёмный 深色 暗色 | light hell helle hellen helles clair claro clara chiaro licht светлая светлый 浅色 亮色',
  ],
  ['taste', 'tabs tab tabulatoren | spaces space leerzeichen espaces espacios'],
  ['taste', 'warm warme warmes chaud cálido quente caldo | cool cold kühl kalt froid frío frio freddo'],
  ['taste', 'metric metrisch métrique métrico | imperial'],
  ['taste', 'formal formell formel | informal informell casual informel'],
  ['taste', 'window fenster fenêtre ventanilla | aisle gang couloir pasillo'],
  ['taste', 'short brief kurz kurze court breve | long detailed ausführlich lang lange détaillé largo'],
  ['taste', 'vegetarian vegetarisch végétarien vegetariano | vegan végan vegano | kosher | halal'],
  [
    'taste',
    'morning vormittag matin mañana manhã | afternoon nachmittag après-midi tarde | evening abend soir noche noite',
  ],
  [
    'language',
    `英語 english englisch englische englischen anglais inglés inglês inglese engels английском английский 英语 英文 英語 | german deutsch deutsche deutschen allemand alemán alemão tedesco
     duits немецком немецкий 德语 德文 ドイツ語 | french französisch français francés francês francese frans французском французский 法语 | spanish spanisch
     espagnol español espanhol spagnolo spaans испанском 西班牙语 | portuguese portugiesisch portugais portugués português | italian italienisch italien italiano
     | dutch niederländisch néerlandais holandés nederlands | russian russisch russe ruso russo русском русский 俄语 | chinese chinesisch chinois chino chinês
     中文 汉语 | japanese japanisch japonais japonés 日本語 日语 | korean koreanisch coréen 韩语 한국어 | polish polnisch polski | turkish türkisch türkçe | arabic
     arabisch arabe العربية`,
  ],
  [
    'value',
    `red rot rote roten rouge rojo roja vermelho vermelha rosso rossa rood красный красная красные | green grün grüne grünen vert verte verde groen зелёный зелёная зелёные | blue blau blaue
     blauen bleu bleue azul blu blauw синий синяя синие | yellow gelb gelbe gelben jaune amarillo amarilla amarelo amarela giallo gialla geel жёлтый жёлтая жёлтые | black schwarz schwarze
     schwarzen noir noire negro negra preto preta nero nera zwart чёрный чёрная чёрные | white weiss weisse weissen blanc blanche blanco blanca branco branca bianco bianca wit белый белая
     белые | grey gray grau graue grauen gris cinza cinzento grigio grigia grijs серый серая серые | brown braun braune brun brune marrón marrom castanho marrone bruin коричневый | orange
     oranje naranja laranja arancione оранжевый | pink rosa roze розовый | purple violet lila violett roxo viola paars фиолетовый | silver silber silbern argent plata prata argento zilver | gold
     golden doré dorado dourado dorato goud | beige cream creme`,
  ],
  [
    'value',
    'spring frühling printemps primavera lente | summer sommer été verano verão estate zomer | autumn fall herbst automne otoño outono autunno herfst | winter hiver invierno inverno',
  ],
  ['value', 'trace | debug | info | warn warning | error | fatal'],
  ['value', 'localtime ortszeit | utc gmt | cet | pst | est'],
  ['value', 'miles meilen miglia | kilometres kilometers kilometern kilomètres kilómetros chilometri'],
  ['value', 'celsius | fahrenheit'],
  ['value', 'metric metrisch | imperial'],
  ['value', 'integer integers int | float floats double | decimal decimals | string strings varchar'],
  ['value', 'portrait hochformat retrato | landscape querformat paisaje'],
  ['value', 'mp3 | aac | flac | wav | ogg | opus | m4a'],
  ['value', 'png | jpeg jpg | webp | svg | gif | avif | tiff'],
  ['value', 'pdf | docx odt | markdown md | html'],
  ['value', 'protobuf | avro | json | xml | thrift | msgpack'],
  ['value', 'tcp | udp | quic'],
  ['value', 'http | https'],
  ['value', 'centimetres cm | inches'],
  ['value', 'celsius | fahrenheit | kelvin'],
  ['language', 'british | american'],
  ['tool', 'camelcase | snake_case | pascalcase | kebab-case'],
  ['tool', 'npm | yarn | pnpm | bun'],
  ['tool', 'pip | poetry | uv | conda | pipenv'],
  ['tool', 'jest | vitest | mocha | jasmine | ava'],
  ['tool', 'pytest | unittest | nose'],
  ['tool', 'cypress | playwright | selenium | puppeteer'],
  ['tool', 'eslint | biome | oxlint | tslint | standardjs'],
  ['tool', 'black | ruff | yapf | autopep8'],
  ['tool', 'prettier | dprint'],
  ['tool', 'webpack | vite | rollup | parcel | esbuild'],
  ['tool', 'maven | gradle | bazel | ant'],
  ['tool', 'make | cmake | meson | ninja'],
  [
    'tool',
    'postgres postgresql | mysql | mariadb | sqlite | oracle | mongodb mongo | dynamodb | cassandra | mssql',
  ],
  ['tool', 'redis | memcached | valkey'],
  ['tool', 'kafka | rabbitmq | sqs | nats | pulsar'],
  ['tool', 'aws | gcp | azure | hetzner | heroku | digitalocean'],
  ['tool', 'jenkins | circleci | travis | buildkite | teamcity | gitlab-ci'],
  ['tool', 'docker | podman'],
  ['tool', 'kubernetes k8s | nomad | swarm | ecs'],
  ['tool', 'git | svn subversion | mercurial'],
  ['tool', 'github | gitlab | bitbucket | gitea'],
  ['tool', 'jira | linear | trello | asana'],
  ['tool', 'react | vue | angular | svelte'],
  ['tool', 'express | fastify | koa | hapi'],
  ['tool', 'django | flask | fastapi'],
  ['tool', 'rest | graphql | grpc | soap'],
  ['tool', 'json | yaml | toml | xml | csv'],
  ['tool', 'rebase | squash | merge'],
  ['tool', 'vim neovim | emacs | vscode | intellij | sublime'],
  ['tool', 'bash | zsh | fish | powershell'],
  ['tool', 'visa | mastercard | amex'],
  ['tool', 'stripe | adyen | braintree | mollie'],
  ['tool', 'utf-8 utf8 | latin-1 iso-8859-1 | utf-16'],
  ['tool', 'euro euros eur | dollar dollars usd | gbp pounds | cents'],
]

/** By word: what it is the value of. */
export const RIVALS: ReadonlyMap<string, readonly Rival[]> = rivalsByWord()

function rivalsByWord(): ReadonlyMap<string, readonly Rival[]> {
  const rivals = new Map<string, Rival[]>()
  for (const [set, [row, members]] of SETS.entries()) {
    for (const [member, words] of members.split('|').entries()) {
      for (const word of wordsOf(words)) listAt(rivals, word).push({ row, set, member })
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
