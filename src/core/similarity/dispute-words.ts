import { wordsOf } from './fact-words.ts'

// The words by which statements are compared, in the languages that screening knows. They were chosen by hand, from
// grammars and from how notes about work, customers and people are written; none was taken from a text that was measured.

/** What a word may be in a statement, a bit each. */
export const W = {
  /** Joins a subject and its value. */
  copula: 1 << 0,
  /** Says nothing about what a statement is about, beside a number or a value. */
  light: 1 << 1,
  /** The value of one thing follows, such as `port`, `owner`, `deadline`. */
  slot: 1 << 2,
  /** Someone holds it alone: `owner`, `on call`, `leads`. */
  role: 1 << 3,
  /** Where something is: `lives`, `stored`. */
  located: 1 << 4,
  /** Leads to a place. */
  placing: 1 << 5,
  /** Leads to a means: `with`, `via`. */
  means: 1 << 6,
  prefers: 1 << 7,
  plan: 1 << 8,
  /** Tells of something that happened once. */
  event: 1 << 9,
  past: 1 << 10,
  /** What is measured differs each time. */
  reading: 1 << 11,
  condition: 1 << 12,
  promise: 1 << 13,
  speaker: 1 << 14,
  /** `a reviewer` is one of many. */
  indefinite: 1 << 15,
  /** Parts one of two things from the other: `staging`, `upload`, `weekly`. */
  qualifier: 1 << 16,
  /** A number after it tells which one of many: `room 2`. */
  label: 1 << 17,
  /** Month, day of the week. */
  date: 1 << 18,
  /** Another value than before. */
  change: 1 << 19,
  /** What it is said of is no more. */
  gone: 1 << 20,
  now: 1 << 21,
  correction: 1 << 22,
  /** Holds for several at once: `supports`, `translated`. */
  plural: 1 << 23,
  from: 1 << 24,
  to: 1 << 25,
  article: 1 << 26,
  /** Joins two clauses. */
  joint: 1 << 27,
  /** Where the new value of a change begins, or who is replaced. */
  by: 1 << 28,
  /** How much or how many at most. */
  measure: 1 << 29,
  /** When something changed. */
  when: 1 << 30,
} as const

const TABLE = {
  copula: `is are was were be equals means called ist sind war lautet heisst beträgt est sont était s'appelle es son era está están é são
     è sono sta są is zijn heet wordt равен равна равно равны составляет это являются является です = :
     是 为 為 は 이다 입니다`,
  light: `set hard soft total default use used have has had run need take get gets make give any alcun alcuno alcuna
     go goes come comes new neu neue neuer neues neuen nouveau nouvel nouvelle nuevo nueva nuova nuovo novo nova новый новая новое новые nieuwe nowy nowa allow allows allowed permitted turned turn listens listen currently about exactly roughly kept fine properly normally smoothly per each every always just even yes ja oui sí sim да also please our their its own be been still
     darf dürfen wieder weer diesem diesen vanwege hat haben nutzt nutzen verwendet verwenden benutzt läuft laufen gilt
     été utilise utilisent utiliser a ont usa usan usar utiliza utilizan tiene tienen
     usam tem têm usa usano utilizza ha hanno gebruikt heeft используется использует используют
     работает имеет 已经 正在 还在 仍在 される され します 使用 用 使う 사용`,
  measure: `limit limited cap capped max maximum maximale massima máxima size amount number value length count threshold quota timeout ceiling most wert grösse anzahl höchstens maximal
     höchstzahl limite valeur taille nombre maximum valor tamaño número máximo tamanho valore numero massimo dimensione waarde aantal
     лимит размер количество число значение максимум limit 上限 最大 大小 数量 限制 上限値 최대 제한`,
  when: 'sofort week month year day today yesterday recently ago since lately quarter sprint woche monat jahr heute gestern semaine mois année hier semana mes año ayer mês ano ontem settimana mese anno ieri неделе месяце году вчера сегодня',
  slot: `name branch port version host hostname url path owner language database framework editor theme mode format
     colour color region timezone zone deadline email address phone compiler runtime licence license provider vendor supplier
     currency locale visibility status state level plan tier budget price fee rate interval schedule window
     frequency cycle location office headquarter capital contact manager lead maintainer reviewer assignee ceo cto director
     endpoint domain bucket queue topic channel repository registry password policy strategy encoding delimiter separator
     indentation width height length duration retention cadence platform hosting engine backend storage license due date start
     passcode pin clave contraseña senha codice código wachtwoord hasło birthday job employer title role diet choice preference setting allergy team department room desk carrier method type
     standardbranch sprache datenbank inhaber besitzer anbieter lieferant frist termin adresse sichtbarkeit farbe ansprechpartner
     leiter währung zeitzone passwort preis gebühr grenze zeitlimit
     langue base propriétaire fournisseur responsable délai échéance adresse visibilité couleur devise prix port branche
     idioma rama puerto propietario proveedor plazo dirección moneda precio visibilidad zona
     língua ramo porta proprietário fornecedor prazo endereço moeda preço cor fuso
     lingua ramo proprietario fornitore scadenza indirizzo valuta prezzo colore fuso
     taal eigenaar leverancier adres prijs kleur
     язык порт ветка владелец поставщик срок адрес цена цвет валюта пароль ответственный руководитель
     端口 分支 语言 語言 负责人 供应商 截止日期 地址 价格 时区 密码 版本 数据库 ポート ブランチ 言語 担当者 住所 포트 브랜치 언어 담당자 주소`,
  role: `dentist accountant lawyer plumber electrician gardener owner owns own host hosts leads lead leader teaches handles represents coordinates oversees organises maintains maintainer responsible manager manages heads head call on-call chairs chair chief tenant custodian auditor treasurer supervisor instructor tutor landlord counsel broker surgeon dean captain producer curator registrar dispatcher insurer notary sponsor architect secretary approver approves
     contact assignee reviewer accountable charge runs director ceo cto president coordinator vendor supplier provider
     verantwortlich verantwortet leitet leiter leiterin zuständig ansprechpartner ansprechpartnerin inhaber besitzer
     responsable dirige chef propriétaire propietario propietaria encargado encargada lidera jefe jefa
     responsável proprietário lidera encarregado responsabile proprietario guida dirige verantwoordelijk eigenaar leidt
     betreut betreuen verwaltet koordiniert organisiert gère coordonne coordina gestiona gestisce coordena gere coördineert regelt kümmert occupe encarga occupa cuida verzorgt beheert занимается заведует следит отвечает ведёт ведет ответственный ответственная владелец руководит руководитель właściciel odpowiada sorumlu
     المسؤول مدير 负责人 负责 担当 担当者 담당자`,
  located: `live lives living sitzt sitzen reside resides come comes loaded listed land lands located stored kept found findet based hosted sits lies documented built defined configured placed resides meets meet tagt saved archived synced collected gathered filed parked hangs hang mirrored hängt hängen
     deployed served mounted written generated works
     liegt liegen hangen landet landen kommt kommen wohnt lebt befindet befinden gespeichert abgelegt steht stehen arbeitet
     habite vit trouve trouvent situé située stocké stockée stockés hébergé travaille
     guarda guardan vive vivo encuentra encuentran ubicado ubicada almacenado almacenada guardado alojado trabaja
     mora fica ficam localizado armazenado guardado hospedado trabalha
     abita vive trova trovano situato salvato ospitato lavora woont staat staan ligt liggen opgeslagen werkt
     находится находятся живёт живет лежит лежат хранится хранятся расположен расположена работает
     mieszka znajduje znajdują bulunur yaşıyor oturuyor يعيش يقع 位于 住在 存放 放在 放到 摆在 存储 あります 住んで 있습니다 살고`,
  placing: `in at on from under inside within behind beside near next opposite between im hinter neben bei beim in am an auf unter aus bij dans à sur sous en au de chez derrière près detrás junto em no na da do nella nel a op uit onder
     в во на под у около возле рядом из w na pod 在 に で 에`,
  means: `with using via by through mit mittels per über avec par via con mediante por com usando tramite met door
     с через помощью z przez ile 用 通过 使用 で 로 으로`,
  prefers: `prefer prefers preferred rather want wants favours favors favorite favourite likes möchte bevorzugt will wünscht lieblings préfère veut souhaite préféré
     prefiere quiere desea favorito favorita prefere quer deseja preferisce vuole preferito wil verkiest pede pide chiede
     предпочитает хочет любимый любимая preferuje chce tercih يفضل يريد 喜欢 偏好 想要 希望 선호 원합니다`,
  plan: `kickoff намечен намечена намечено назначено назначены намечены запланированы planned scheduled due set expected expires expire starts begins ends takes opens closes close end start begin happens comes arrives kommt geplant fällig angesetzt beginnt endet findet
     começa começam inicia termina acaba encerra expira vence marcado agendada finisce scade prévu prévue fixé commence termine planeado programado prevista previsto vence abre cierra empieza termina comienza agendado marcada
     pianificato fissato inizia gepland begint запланирован запланирована запланировано назначен назначена начинается состоится
     zaplanowany planlandı 计划 定于 安排 安排在 定在 予定 예정`,
  event: `charged paid sent received issued finished completed failed succeeded crashed aborted deployed closed merged opened bought sold ordered booked shipped
     delivered refunded credited debited transferred withdrew logged posted visited met saw went got made took found said told ended lasted rang phoned
     asked ran given drawn happened successfully successful erfolgreich éxito succès успешно thanks thank created reviewed committed pushed tested measured recorded reported processed arrived departed
     réussi réussie échoué échouée fallido fallida exitoso exitosa riuscito riuscita fallito fallita gelungen fehlgeschlagen gescheitert
     bezahlt gezahlt gesendet erhalten überwiesen gebucht gekauft verkauft ausgeliefert eingegangen beendet abgebucht
     payé envoyé reçu acheté vendu livré viré débité pagado pagó enviado recibido comprado vendido cobrado
     pago enviado recebido comprado vendido pagato inviato ricevuto comprato betaald verzonden ontvangen
     оплачен оплачена получен получена получены отправлен отправлена куплен куплена списана оплачено отправлено получено куплено списано заплатил отправил получил 已发送 已支付 收到`,
  past: `was were had previously formerly earlier yesterday ago did once initially originally war waren wurde wurden hatte früher gestern était étaient avait hier
     era eran fue fueron ayer había foi eram ontem tinha erano ieri aveva waren gisteren был была было были раньше ранее вчера
     曾 昨天 以前 昨日`,
  reading: `ping benchmark battery coverage attendance turnout rpm ops fps latency temperature humidity load usage utilisation utilization throughput elapsed uptime p50 p90 p95 p99 cpu pressure speed
     score balance backlog lag pending unread queued counted abgelesen gemessen gewogen gezählt mesuré mesurée pesé pesée compté comptée medido medida pesado contado contada misurato misurata pesato contato gemeten gewogen geteld difference took lasted weighed measured reads stood reading meter zählerstand zähler compteur contador temperatur auslastung dauer dauerte dauerten wog verbrauch luftfeuchtigkeit
     température charge durée duré pesait temperatura duró pesaba durou durò длилась длился длилось trwał trwała duurde carga duración duração temperatuur температура загрузка`,
  condition: `if when while whenever unless falls wenn sobald sofern solange quand lorsque cuando mientras caso quando
     wanneer tenzij если когда пока jeśli gdy eğer إذا 如果 当 もし たら 만약`,
  promise: `will shall would could might hope hopefully should gonna thinking considering wondering überlegen überlegt erwägen envisageons envisage würde könnte hoffe voudrais pourrait espère espero
     podría poderia vorrei potrebbe zal zou буду будем надеюсь i'll we'll you'll he'll she'll they'll let's`,
  speaker: `i my me mine i'm i've i'll i'd you your ich mein meine mir mich du je mon ma mes moi tu ton yo mi mis me eu meu minha io mio mia ik mijn
     я мой моя мне меня 我 私`,
  indefinite:
    'a an another one some ein eine einen un une una uno um uma een also too auch aussi también também anche ook',
  qualifier: `staging production prod live beta alpha canary sandbox demo dev development test testing local remote internal external free paid trial premium basic
     enterprise starter pro mobile web desktop ios android linux windows mac macos frontend backend read write upload download input
     output inbound outbound incoming outgoing daily weekly monthly yearly annual min minimum least most first second third last
     next previous this other old upper lower left right north south east west home work summer winter weekday weekdays weekend weekends
     morning evening night adult child children domestic international warning critical primary secondary
     alt alte alter altes alten ancien ancienne viejo vieja vecchio vecchia erste zweite letzte nächste dieser andere minimal mindestens höchstens premier dernier primero último`,
  label: `order account invoice ticket customer room hall seat flight gate issue pr job build step phase chapter page line part case task
     shard item day round rule note thread worker memory fact message attempt commit record entry question answer trial experiment lesson
     package shipment volume episode session request player group topic exit code error status number nr nummer numéro número numero regel schicht section example figure option batch certificate card reservation booking passenger user member run sprint table floor building zone unit lane minute lap hole aisle dock bay platform berth booth
     bestellung rechnung konto zimmer raum halle schritt seite kunde commande facture compte salle étape chambre client
     pedido factura cuenta sala paso habitación fatura conta passo quarto ordine fattura stanza bestelling factuur kamer
     заказ счёт счет комната шаг`,
  date: `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct
     nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat sun am pm midnight noon midday mitternacht minuit medianoche mediodía mezzanotte mezzogiorno middernacht полночь полдень
     januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags
     janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi
     dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles
     jueves viernes sábado domingo janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda terça
     quarta quinta sexta segunda-feira terça-feira quarta-feira quinta-feira sexta-feira segundas-feiras terças-feiras quartas-feiras quintas-feiras sextas-feiras gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì
     giovedì venerdì sabato domenica januari februari maart mei juni juli maandag dinsdag woensdag donderdag vrijdag zaterdag
     zondag января февраля марта апреля мая июня июля августа сентября октября ноября декабря
     понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье
     月 日 星期 周 曜日`,
  change: `moved moves move throttled trimmed halved rehung migrated switched switch upgraded downgraded changed raised lowered increased decreased reduced extended shortened adjourned
     bumped shrunk shifted prolonged renewed renamed relocated transferred converted replaced swapped postponed delayed deferred rescheduled rewritten slips slipped slides slid brought pushed doubled cut ported postpone reschedule relocate updated
     umgestiegen umgezogen umgelagert umgehängt umgeräumt verlagert verschoben verlegt migriert gewechselt wechselt geändert erhöht gesenkt umgestellt umbenannt ersetzt
     rutscht verschiebt verschieben verlegen vorgezogen verlängert vorverlegt verkürzt angehoben aktualisiert
     déplacé déplacée déplacés migré migrée passé passée changé changée augmenté augmentée réduit réduite actualisé remplacé remplacée renommé déménagé prolongé prolongée avancé avancée reporté reportée renvoyé renvoyée repoussé repoussée décalé décalée
     movido movida movió cambiaron migrado migrada migró cambiado cambió cambiamos aumentado aumentó reducido reemplazado reemplazada renombrado trasladado trasladó mudó pasado pospuesto prorrogado prorrogada ampliado ampliada adelantado adelantada adelanta adelantó actualizado actualizó aplazado aplazada aplaza aplazó retrasa retrasó retrasado retrasada pospone pospuso pospuesta
     mudou mudaram movido migrado migrou mudado alterado alterada aumentado aumentou reduzido substituído substituída renomeado adiado adiada antecipado antecipada atualizado
     spostato spostata rimandato rimandata prorogato prorogata anticipato anticipata migrato passato cambiato aumentato ridotto sostituito sostituita rinominato trasferito aggiornato rinviato rinviata salito salita saliti salite sceso scesa slitta slittano slittato slittata sposta spostano
     verplaatst verschoven verschuift schuift uitgesteld vervroegd verlengd verhuisd verzet overgestapt gewijzigd verhoogd verlaagd vervangen hernoemd
     перенесён перенесен перенесена перенесено перенесены перенесли сдвинули сдвинут сдвинута сдвинуто отложили отложен отложена отложено переехал переехала переехали перешли перешёл перешел изменён изменен изменена увеличен увеличена
     увеличили снижен уменьшен заменён заменен заменена заменили переименован обновили обновлён обновлен обновлена
     przeniesiony przeniesiono zmieniono zastąpiono taşındı değiştirildi yükseltildi نقل تغيير
     迁移 迁移到 移到 移至 改为 改成 改到 改用 换成 切换到 升级到 升级为 提高到 替换为 搬到 変更 移行 移動 移転 변경 이전 교체`,
  gone: `deleted removed retired deprecated obsolete discontinued decommissioned dropped abandoned broken gone cancelled canceled outdated split shut yielded
     superseded abolished revoked withdrawn lapsed terminated lifted dead defunct replaced scrapped disbanded dissolved
     gelöscht entfernt veraltet abgeschafft abgeschaltet aufgelöst eingestellt stillgelegt kaputt aufgehoben überholt ersetzt
     supprimé supprimée obsolète abandonné abandonnée retiré retirée cassé remplacé remplacée
     eliminado eliminada abandonado abandonada borrado obsoleto obsoleta retirado retirada descontinuado descontinuada roto reemplazado reemplazada
     removido removida excluído excluída descontinuado quebrado substituído abbandonato abbandonata rimosso rimossa eliminato deprecato dismesso dismessa sostituito
     verwijderd verouderd afgeschaft opgeheven stopgezet vervangen удалён удален удалена удалено устарел устарела устарело отменён отменен отменена заменён заменен
     usunięty przestarzały kaldırıldı silindi محذوف 已删除 已废弃 已弃用 已取消 已移除 廃止 削除 삭제 폐지`,
  now: `now nowadays henceforth new neu neue neuer neues neuen nouveau nouvel nouvelle nuevo nueva nuova nuovo novo nova новый новая новое nieuwe nowy nowa instead meanwhile anymore jetzt nun nunmehr inzwischen künftig stattdessen désormais maintenant
     dorénavant ahora actualmente agora atualmente ora adesso nu voortaan tegenwoordig inmiddels neuerdings mittlerweile doravante ormai attualmente теперь сейчас отныне вместо teraz obecnie artık şimdi الآن
     现在 現在 现已 目前 如今 今 이제 지금`,
  correction: `correction scratch update corrected erratum berichtigung korrektur aktualisierung rectification corrección actualización correção
     atualização correzione aggiornamento correctie исправление обновление поправка korekta düzeltme تصحيح 更正 更新 修正 訂正 정정`,
  plural: `reads learns studies understands needs need requires braucht benötigt nécessite necesita requiere richiede support supports supported covers accepts accept akzeptiert accepte acepta aceita accetta accepteert принимает translated available offer offers include includes including contains contain speak speaks knows
     also contacted reached imported imports mentioned called tested install installed add added likes like unterstützt spricht verfügbar enthält
     parle prend supporte incluye habla soporta fala suporta inclui parla supporta spreekt поддерживает говорит 支持 包括`,
  from: 'from von vom aus de du des desde del da dal dalla van uit с со из 从 から 에서',
  to: 'to into onto at on auf zu zum zur nach in à au vers a al hacia para em na no ao naar на в к do 到 至 为 成 に へ 로',
  article:
    'the a an der die das den dem des ein eine einen einem einer le la les l un une el los las lo una o os as um uma il lo gli i het de een',
  joint: `but because since although though whereas so hence therefore thus aber denn weil sondern obwohl deshalb deswegen daher parce puisque donc pero porque mas pois portanto
     ma perché quindi perciò maar omdat но а потому ale bo çünkü لأن لكن`,
  by: 'by with through durch par por by da door на 被',
} satisfies Readonly<Record<keyof typeof W, string>>

export const CLASSES = bitsByWord(W, TABLE)

/** Of each word of a table, the bits of all names beside which it stands. */
export function bitsByWord(
  bits: Readonly<Record<string, number>>,
  table: Readonly<Record<string, string>>,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [name, words] of Object.entries(table))
    for (const word of wordsOf(words)) found.set(word, (found.get(word) ?? 0) | (bits[name] ?? 0))
  return found
}

/** What a word in small letters may be, a bit of `W` each; 0 for most. */
export function classesOfWord(word: string): number {
  return CLASSES.get(word) ?? 0
}
