// Words of a related meaning, which no stemmer brings together: what else people call the same thing, its makers and doers,
// and the kinds of it that a question may ask for. Made by hand from what is usual in talk, notes and work; left out is what
// mostly means something else. A line ends at a bar; words before a `>` find those behind it, and not the other way round.

export const RELATED_ENGLISH = `
  job work career profession occupation employment|boss manager supervisor employer|colleague coworker workmate
  teammate|company firm business employer startup|fired redundant dismissed|salary wage pay income|retire retirement
  pension|child kid son daughter toddler baby|baby newborn infant|parent mother father mom dad|mother mom mum|father
  dad|sibling brother sister|relative aunt uncle cousin nephew niece|grandmother grandma granny|grandfather grandpa
  granddad|grandparent grandma grandpa grandmother grandfather|husband wife spouse partner|boyfriend girlfriend
  partner|marry marriage wedding husband wife married|engaged engagement fiance|family > parent mother father mom dad
  brother sister kid child son daughter husband wife|friend buddy pal mate|neighbour neighbor|pet > dog puppy cat
  kitten rabbit hamster turtle bird parrot|dog puppy pup|cat kitten|animal > dog cat horse bird cow sheep|house home
  apartment flat|kitchen > oven stove fridge|furniture > sofa couch table chair shelf bed|sofa couch|move relocate
  moved|rent lease landlord tenant|garden yard allotment|repair fix mend|car vehicle van truck|vehicle > bike bicycle
  motorbike car van truck|bike bicycle cycling|train railway|plane flight airport|vacation holiday trip|trip travel
  journey tour|visit visited travel trip|hotel hostel accommodation|country > france germany spain italy england
  scotland ireland portugal greece japan china india canada mexico brazil australia sweden norway finland denmark
  poland turkey switzerland austria|city > london paris berlin rome york chicago boston seattle tokyo madrid vienna
  amsterdam dublin barcelona|state > california texas florida oregon ohio virginia michigan georgia arizona|beach
  ocean sea coast|forest woods wood|mountain hill peak summit|hike hiking trail trek|camping camp tent campfire|food >
  meal dish dinner lunch breakfast|meal dinner lunch breakfast supper|recipe dish cook bake|cook cooking bake|dessert
  cake pie cookie|drink > coffee tea juice beer wine|fruit > apple banana orange strawberry peach pear|vegetable >
  carrot tomato potato bean cabbage onion|vegetarian vegan|restaurant cafe diner bistro|doctor physician gp|hospital
  clinic|ill sick illness disease|injury injured hurt injure|medicine medication drug pill|allergic allergy|stress
  stressed anxiety|relax unwind calm|exercise workout gym fitness training|sport > football soccer basketball tennis
  baseball hockey volleyball swimming running cycling surfing climbing skiing yoga boxing|football soccer|competition
  contest tournament championship match|compete competition|win winner victory won champion|lose loss defeat|award
  prize trophy medal|coach trainer|gym workout|dance dancer dancing|hobby > painting hiking reading cooking gardening
  photography knitting|activity > hiking camping swimming painting dancing cooking|book novel story|author writer
  novelist|write writer writing|script screenplay|poem poetry poet|read reader reading|film movie|television tv series|
  actor actress acting|play theatre theater|music > song band concert album|song tune track|concert gig|sing singer
  singing|musician music|instrument > guitar piano violin drum flute clarinet cello trumpet saxophone ukulele|artist
  art|art > painting drawing sculpture pottery|paint painter painting|draw drawing sketch|photo picture pic photograph
  image|photographer photography photo|museum gallery exhibition exhibit|game > chess catan puzzle|school college
  university|student pupil|teacher tutor instructor professor|teach teacher lesson|study learn course|exam test|
  degree diploma graduate graduation|class course lesson workshop|language > english spanish french german italian|
  money cash|buy purchase bought|sell sale sold|cheap inexpensive|expensive costly pricey|price cost fee|donate
  donation charity|charity fundraiser nonprofit|volunteer volunteering|shop store boutique|clothes clothing outfit|
  clothes > dress shirt jacket shoe coat|gift present|birthday anniversary|celebrate celebration party|event > concert
  festival parade workshop conference meeting|meeting appointment call|conference summit convention|church religion
  faith|politics politician election|army military veteran soldier|police officer|crime theft robbery stolen|begin
  start|finish end complete|speak talk chat|big large huge|small little tiny|happy glad joy|sad upset unhappy|angry
  mad furious|afraid scared fear frightened|nervous anxious worried|worry worried concern|proud pride|favorite
  favourite fave|like love enjoy|enjoy love fun|hate dislike|help support assist|plan intend intention|hope wish|goal
  aim dream|decide decision|choose choice pick|recommend recommendation suggest suggestion|suggest suggestion advice|
  advice tip|inspire inspiration inspired|motivate motivation|reason motive|problem issue trouble|error bug failure|
  delete remove|quick fast|weather > rain snow sun storm|street road avenue|colour color|beautiful pretty lovely|
  funny humor|famous celebrity|old elderly|weekly daily monthly|live lives reside|born birth|die death died|pregnant
  pregnancy|surgery operation|computer laptop pc|phone smartphone|nervous nerves|dance dancer|run runner running|
  travel traveler traveller|teach taught lesson|train training trainer|bake baker bakery baking|swim swimmer swimming|
  climb climber climbing|play player|garden gardener gardening|farm farmer|science scientist|medicine medical|invest
  investment|invite invitation|invent invention inventor|explain explanation|compare comparison|describe description|
  receive gift|respond reply answer response|argue argument quarrel fight|marry engaged|grow growth|health healthy|
  strong strength|long length|wide width|high height|hot heat warm|cold chilly|weigh weight|die passed death|believe
  belief|prove proof|lose loss lost|arrive arrival|depart departure leave|behave behaviour behavior|compose composer|
  collect collection|create creation|perform performance|participate attend join participation|attend participate join|
  achieve achievement accomplish accomplishment|succeed success|fail failure|advise advice|memory remember|remember
  remind recall|forget forgot|safe safety|dangerous danger risk|ingredient > flour sugar egg butter milk|breakfast >
  egg cereal toast pancake|season > spring summer autumn winter|month > january february march april june july august
  september october november december|weekday > monday tuesday wednesday thursday friday|weekend > saturday sunday|
  colour > red blue green yellow black white purple orange pink|color > red blue green yellow black white purple
  orange pink|material > wood metal stone glass plastic|allergy allergic|profession > nurse teacher engineer lawyer
  doctor carpenter|deadline due|customer client|invoice bill|error exception failure|erase delete remove|crash crashed|
  slow slowly latency|secret password credential|mail email letter|ticket fare|luggage suitcase bag|roommate flatmate|
  nickname called name|holiday > christmas easter thanksgiving|charity donate|homeless shelter|environment nature
  climate|nature outdoors forest mountain|outdoors hiking camping|sunset sunrise|wine beer|crafts pottery knitting
  sewing|knit knitting|sew sewing|tired exhausted|sleep nap bed|dream dreams|lucky luck|lonely alone|shy quiet|diet
  nutrition|eat ate meal|hungry hunger|thirsty drink|jewelry necklace ring bracelet|bag backpack|glasses spectacles|
  cap hat|leak leaking drip|noise noisy loud|broken damaged|steal theft|borrow lend loan|loan mortgage credit|
  insurance policy|tax taxes|divorce divorced separation|grandchild grandson granddaughter|twins twin|relationship >
  girlfriend boyfriend partner husband wife|date dating relationship|emotion feeling mood|feeling > happy sad angry
  afraid proud excited nervous lonely|excited thrilled excitement|disappointed disappointment upset|surprised surprise
  amazed shocked|embarrassed ashamed shame|grateful thankful gratitude|jealous envy|pain ache sore hurt|headache
  migraine|flu fever cough cold|symptom > pain fever cough headache nausea rash|dentist tooth teeth dental|therapy
  therapist counselling counseling counselor|vaccine vaccination vaccinated|trousers pants jeans|shoe > boots sneakers
  sandals trainers|sneakers trainers|jacket coat|sweater jumper pullover|wallet purse|jewellery jewelry necklace
  bracelet|bracelet wristband band|fridge refrigerator freezer|snack crisps chips biscuit|meat > beef pork chicken
  lamb sausage|fish > salmon tuna trout|seafood > shrimp crab lobster fish|dairy > milk cheese yoghurt butter cream|
  pasta spaghetti noodles|dish > pasta pizza soup salad curry stew|sweets candy chocolate|beverage drink|alcohol beer
  wine|spice > pepper cinnamon curry chili|locker cupboard cabinet|wardrobe closet cupboard|lift elevator|stairs
  staircase|wheelchair disabled disability accessible|toilet restroom bathroom|entrance entry gate door|exit leave|
  ticket pass admission|admission entry|discount reduction reduced concession cheaper|refund reimbursement reimburse
  repay|voucher coupon|membership member subscription|cancel cancellation withdraw|postpone delay reschedule|book
  booking reserve reservation|register registration enrol enroll|queue waiting line|staff employee personnel|
  complaint complain|beginner novice|advanced expert|minimum least|maximum limit most|allowed permitted permission|
  forbidden prohibited banned|hire rent rental borrow|umbrella rain|pool swimming swim|swimsuit swimwear|lesson
  training|wifi wlan internet|socket plug outlet|smoke smoking cigarette|storm thunderstorm lightning|fire burn flames|
  outage downtime incident|deploy deployment release rollout|rollback revert undo|bug defect fault|crash panic
  segfault|freeze hang stuck|login signin authentication|permission access privilege|account user|upgrade update bump|
  package library dependency module|setting option preference|toggle switch flag|server host machine|container docker|
  credential token key|encrypt encryption|metric monitoring alert|alert alarm notification|notify notification inform|
  backup restore snapshot|migrate migration|endpoint route url|schedule timetable cron|storage disk|compile compiler
  build|verify verification validate check|validate validation check|reject refuse deny|approve approval accept|
  review reviewer|document documentation|flaky intermittent unstable|duplicate twice double|missing absent|empty blank|
  null undefined nil|wrong incorrect invalid|retry repeat|parse parser parsing|callback handler hook|listener handler|
  throw exception raise|abort cancel|shutdown stop|startup boot launch|plugin extension addon|deprecated obsolete
  legacy|order purchase|shipping shipment delivery|deliver delivery|supplier vendor provider|contract agreement|quote
  estimate offer|budget expense spending|profit earnings revenue|revenue sales turnover|payment pay charge|bill charge|
  stock inventory|warehouse depot|team crew squad|agenda schedule|presentation talk slides|recruit hire|resign quit
  resignation|absence leave vacation|contact reach|owner responsible|version release|quota limit maximum|total sum|
  location place venue|cause reason|replace swap substitute|change modify alter edit|increase raise rise|decrease
  reduce lower|prevent avoid|retain keep store|send submit|search find look|show display|hide conceal|transfer move|
  connect connection link|split separate|merge combine|truck lorry|petrol gas fuel|charge charging battery|pavement
  sidewalk|holiday leave|post mail|neighbourhood neighborhood district area|autumn fall|rubbish trash garbage waste|
  recycle recycling|couch armchair|carpet rug|blanket quilt|lamp light|tool > hammer drill saw screwdriver|nature >
  forest river lake mountain|river stream|lake pond|flower > rose tulip lily sunflower|plant flower tree|tree > oak
  pine maple birch|insect bug bee|bee honey hive|farm cattle|horse riding pony|fishing fish|hunt hunting|boat ship
  sailing|sail sailing|ski skiing snowboard|skate skating|martial > karate judo taekwondo boxing|race marathon run|
  marathon race|fitness exercise|score goal point|team club|genre > fantasy thriller mystery romance jazz rock pop|
  fantasy fiction|magazine newspaper journal|newspaper article news|news article headline|blog post|podcast episode|
  episode series show|video clip film|console playstation xbox nintendo|game gaming gamer|board > chess monopoly|
  camera photo lens|website site page|app application software|password login|message text chat|subject > math history
  physics chemistry biology|math mathematics|scholarship grant|grant funding fund|homework assignment|essay paper|
  professor lecturer|lecture talk|internship intern trainee|promotion promoted raise|interview applicant application|
  apply application applied|lawyer attorney solicitor|judge court trial|law legal|arrest arrested jail prison|
  accident crash collision|ambulance emergency hospital|emergency urgent|urgent priority|passport visa|border customs|
  tourist visitor traveler|guest visitor|souvenir gift|map directions|direction route way|station stop platform|bus
  coach|taxi cab|drive driving driver|flat apartment|roof ceiling|basement cellar|balcony terrace patio|furniture >
  wardrobe cupboard desk|clean cleaning tidy|wash washing laundry|dry drying|iron ironing|broken faulty defective|
  warranty guarantee|donor donation|activism activist protest march|protest march rally demonstration|adopt adoption|
  orphan orphanage adoption|refugee migrant immigrant|religion > christian muslim buddhist jewish hindu|pray prayer|
  funeral grave cemetery|ceremony wedding graduation|anniversary jubilee|engagement engaged proposal|propose proposal|kind type sort category|type kind sort
  category|periodic recurring scheduled cron|task job|laptop notebook workstation machine|dependency requirement|folder
  directory|argument parameter flag|lint linter style|format formatter|seed sample fixture demo|sample seed fixture demo|
  mock fake stub|warning notice|concurrent parallel simultaneous|expire expiry expiration|unpaid open outstanding|
  annotation typed typing|limit cap ceiling|broker queue topic|image dockerfile container|
  lint linter linting analysis > eslint biome ruff pylint golangci clippy detekt ktlint rubocop checkstyle phpstan
  shellcheck|annotation typing > mypy pyright phpstan sorbet|formatter format > prettier gofmt rustfmt|test > pytest
  jest vitest junit nextest rspec|database > postgres postgresql mysql sqlite mariadb mongodb|queue broker > kafka
  rabbitmq sqs celery sidekiq nats|cache > redis memcached|pipeline > jenkins circleci buildkite gitlab bitrise
  codemagic|cloud > aws azure gcp|image container > dockerfile containerfile docker podman|dockerfile
  containerfile|cluster > kubernetes helm|dashboard monitoring > grafana prometheus datadog kibana|trace tracing
  span|trace tracing > jaeger tempo zipkin|dependency > npm pip uv cargo gradle maven poetry|migration schema >
  alembic flyway liquibase|example demo fixture sample|chore task|recurring periodic > cron nightly daily hourly
  weekly|cron nightly periodic|night nightly overnight|daily day|hourly hour|race concurrent lock|twice double
  duplicate idempotent|simultaneous moment concurrent|lock mutex semaphore|manual handbook guide|terminal shell
  console cli|command cli|unstable flaky intermittent|decline reject refuse|limit quota|erase purge wipe|cleanup purge
  prune clean|regenerate generate codegen|staging preprod|live production|publish release ship|ship release deploy
  publish|comment remark feedback|webhook callback|timeout wait deadline|wait timeout delay|retry backoff
  attempt|column field attribute|translate translation locale|fare tariff price|execute run launch|terminate kill
  stop|configure config setup|maintainer owner|toolchain compiler|speed performance slow fast latency|heap ram
  memory|throttle throttling|paginate pagination cursor|incident outage postmortem|rotate rotation|revoke
  revocation|anonymize anonymise pseudonymize redact|audit trail|checksum hash digest|cart basket trolley checkout|
  purchase order buy checkout|gift > voucher certificate coupon|earn earnings revenue income profit margin commission|
  commission fee share percentage percent|cost price fee charge rate amount > euro euros eur dollar dollars usd pound
  pounds cents|payout paid transfer settlement settle takings proceeds remit|tax vat gst duty levy|receipt slip
  invoice|card > visa mastercard amex|payment card > stripe adyen mollie paypal braintree klarna worldpay|processor
  provider gateway acquirer psp|bank account iban|debit mandate sepa|discount rebate percent|chargeback refund dispute|
  overdue unpaid arrears reminder dunning|allowance budget cap limit|subscription > plan tier|customer client buyer
  shopper patron|vendor seller manufacturer supplier|deadline due cutoff|expire valid validity lapse|courier carrier
  parcel > dhl ups fedex dpd gls hermes|parcel shipment delivery|parcel > package|pickup collect collection|return
  returns refund exchange|responsible owner owns lead leads assigned accountable maintainer contact|leader lead head
  manager chief director|deputy substitute cover covers replacement|pager duty standby rota roster shift oncall|mobile
  phone cell cellphone telephone|employee worker staff crew|parental maternity paternity leave|onboarding training
  introduction|meeting standup retro retrospective|sign signature signed signs|authorise authorize approve clearance
  permission|agree agreement consent approve|rule policy guideline regulation|required mandatory obligatory compulsory|
  request ticket enquiry inquiry|helpdesk support hotline desk|upset complaint angry|interpreter runtime > python node
  nodejs ruby java php|language > python java javascript typescript kotlin rust golang ruby php|production prod|sandbox
  staging playground preview trial|printable print pdf document|print printer printed label slip|enable activate switch
  toggle flag|disable deactivate switch toggle flag|network connection internet offline online|scan scanner reader
  barcode|dump backup copy snapshot|recover recovery restore|earlier previous former prior|practise practice rehearse
  rehearsal rehearsed drill exercise|journal log logs|hosting host hosted server > hetzner aws azure gcp ovh
  digitalocean heroku vercel netlify|domain dns registrar nameserver|mail email sender smtp > sendgrid mailgun postmark
  brevo mailchimp|newsletter mailing bulletin campaign|sms > twilio vonage|sms text message|chat messenger > slack
  teams mattermost discord telegram whatsapp signal|tracker board ticket issue > jira linear trello asana github
  gitlab|wiki documentation > confluence notion|repository repo > github gitlab bitbucket|repository repo|framework >
  react vue angular svelte django flask rails spring laravel express|frontend interface ui|backend server|template
  layout theme|map > openstreetmap mapbox leaflet|search index > elasticsearch opensearch solr meilisearch typesense|
  bucket storage files > minio ceph|certificate tls ssl https|vpn firewall > wireguard openvpn|thumbnail resize scale|
  size > maximum limit|often frequency frequently > daily weekly monthly hourly nightly|office location site|seat
  chair|audience spectators visitors|child kid > minor|doctor physician therapist practitioner|insurance insurer|
  prescription medication medicine|appointment booking slot visit|treatment therapy|truck lorry vehicle van|driver
  chauffeur|route tour|depot yard garage|bin dumpster|weigh scale weighing tonne ton kilo|dispatch dispatcher schedule|
  cargo freight|device machine equipment|maintenance inspection repair|tenant renter occupant|landlord owner|grade
  score|semester term|counsel lawyer|hearing court|clause paragraph section|experiment study trial|dataset corpus|paper
  article publication|mistake error fault|harm damage hurt|hazard danger risk|device phone tablet
  handheld|screen display monitor|summary overview digest|draft version|signoff approval|delay late|early ahead|convert
  conversion transform|measure measurement|amount quantity|area region zone|inform report|copy duplicate clone|attach
  attachment enclosure|upload import|download export|filter exclude|deny reject decline|private internal|internal
  inhouse|external outside|shut close closed|open opening|rotate swap|default standard normal|extra additional|
  temporary interim provisional|permanent permanently|yearly annual annually year|quarterly quarter|weekend saturday
  sunday|noon midday|midnight night|afternoon pm|evening night|ban block suspend|suspend pause|resume continue|measure
  kpi metric|spare reserve|allergen allergic|guest attendee participant|host organiser organizer|sponsor funding|venue
  hall room|fob badge|badge card|alarm siren|caretaker janitor|cleaner cleaning|canteen cafeteria|carpark parking|
  charger charging|heating boiler radiator|electrician electric|letterhead stationery|freelancer contractor|intern
  trainee apprentice|shareholder investor|board directors|merger acquisition|headquarters office|subsidiary branch|
  forecast prediction|target goal objective|headcount staff|payroll salary|bonus reward|expenses reimbursement|audit
  auditor|compliance gdpr privacy|gdpr privacy personal|consent opt|breach leak incident|pentest penetration security|
  phishing spam|malware virus antivirus|laptop device|sso login single|login session signin token|logout logged session
  expire idle|idle idling inactivity inactive lock|staging stage environment preproduction|url hostname domain link|url
  hostname > address|shard partition|stacktrace trace crash exception > sentry rollbar bugsnag crashlytics|alarm alert
  > page wake opsgenie pagerduty|graph chart dashboard board|throughput rate volume|fleet vehicle vehicles|hierarchy
  level levels|role permission roles|progress status report summary|fetch collect pick|router wifi modem|stolen theft
  burglary insurance|gift > likes loves mad fond favourite favorite|dangerous poisonous toxic venomous|paediatrician
  pediatrician doctor children|lab laboratory|reprocess replay rerun reset|decode decoded undecodable parse|cursor
  offset|punishment penalty sanction|anonymous guest|registered account registration|resolution dpi pixel|endpoint webhook|attempt try tries retry|down outage unavailable offline|freeze frozen lock|vacant free
  available|busy occupied taken|spend budget|workstation desk|consultant advisor adviser|secretary assistant|
  recycle bin|box crate|wrap wrapping packaging|label sticker tag|identifier id|readings measurement meter|meter sensor
  gauge|sensor device probe|signal alarm|battery accumulator|cable wire cord|lamp bulb light|popup dialog modal window|
  layout design|typo spelling mistake|abbreviation acronym|stamp seal|envelope letter|pen pencil|cup mug|plate dish|
  knife fork cutlery|pot pan|bottle flask|towel cloth|soap detergent|shampoo hair|haircut hairdresser barber|makeup
  cosmetics|perfume scent|stepfather stepmother|godfather godmother|nanny babysitter childcare|kindergarten nursery
  daycare preschool|playground park|toy doll|nappy diaper|pram stroller buggy|costume outfit|uniform clothes|helmet
  protection|rucksack backpack|rope climbing|boots shoes|umbrella raincoat|scarf gloves hat|lifeguard pool|referee
  umpire|stadium arena pitch|pitch court|racket tennis|goalkeeper keeper|captain leader|league division|choir singing chorus|orchestra symphony|conductor orchestra|stage theatre|applause audience|painting canvas|
  sculpture statue|printer print toner|keyboard typing|mouse pointer|headset headphones microphone|camera webcam|
  projector beamer screen|server rack|disk ssd|cpu processor core|gpu graphics|kernel linux|microsoft > windows|mac
  macos|android phone|ios iphone|app application mobile|browser > chrome firefox safari edge|cookie session|survey
  questionnaire|poll vote|feedback review rating|profile account|avatar picture|follower subscriber|stream streaming|
  compress compression gzip zip|encrypt encrypted|function method routine|boolean flag|pipeline ci build|cron timer
  schedule|producer publisher|consumer subscriber listener|stream queue|chunk piece|throughput speed|traffic requests|
  heartbeat ping|coverage tested|assert expect|snapshot golden|regression bug|hotfix patch fix|workaround fix|moderator
  admin|creator author|founder founded started|ceo chief director|cto chief|cfo finance|accountant accounting
  bookkeeper|bookkeeping accounting|inspector inspection|notary lawyer|architect architecture|plumber pipe|carpenter
  wood|mechanic garage|nurse clinic|surgeon surgery operation|pharmacist pharmacy|pharmacy drugstore chemist|optician
  glasses|vet veterinarian animal|veterinary vet animal|baker bread|butcher meat|waiter waitress|cook chef|chef kitchen`

export const RELATED_GERMAN = `
  arbeit beruf job stelle|chef vorgesetzter leiter|kollege mitarbeiter|firma unternehmen betrieb|gehalt lohn einkommen|
  kind sohn tochter baby|eltern mutter vater|mutter mama|vater papa|geschwister bruder schwester|großmutter oma|
  großvater opa|großeltern oma opa|ehemann ehefrau partner|heiraten hochzeit|freund kumpel|haustier > hund katze
  kaninchen hamster|haus wohnung|mieten miete vermieter|umziehen umzug|garten beet|reparieren reparatur kaputt|auto
  wagen fahrzeug|fahrzeug > auto fahrrad motorrad lastwagen|fahrrad rad|zug bahn|flugzeug flug flughafen|urlaub ferien
  reise|reise fahrt ausflug|reisen reise urlaub|unterkunft hotel pension|land > deutschland frankreich spanien italien
  österreich schweiz polen england japan china kanada|stadt > berlin hamburg münchen köln wien zürich paris london|
  strand meer küste|wald bäume|berg gipfel|wandern wanderung|essen mahlzeit gericht|rezept kochen backen|kuchen torte
  gebäck|getränk > kaffee tee saft bier wein|obst > apfel banane birne erdbeere|gemüse > karotte tomate kartoffel
  bohne zwiebel|arzt ärztin praxis doktor|krankenhaus klinik|krank krankheit erkältung|verletzung verletzt|medikament
  tablette arznei|sport > fußball tennis schwimmen laufen radfahren klettern yoga|wettbewerb wettkampf turnier|
  gewinnen sieg gewonnen|preis kosten gebühr|kosten preis gebühr teuer|bezahlen zahlung zahlen|zahlen bezahlen zahlung|
  buch roman|autor schriftsteller|schreiben geschrieben|film kino|lied song|sänger singen|instrument > gitarre klavier
  geige flöte trompete|maler malen gemälde|bild foto gemälde|ausstellung museum|schule unterricht|lehrer lehrerin
  dozent|schüler student teilnehmer|lernen studieren kurs|kurs lehrgang seminar unterricht|prüfung test klausur|
  anmelden anmeldung registrieren|abmelden abmeldung kündigen|kündigen kündigung|stornieren absagen storno|absagen
  ausfallen absage|ermäßigung rabatt nachlass|geld bargeld|kaufen kauf erwerben|verkaufen verkauf|laden geschäft|
  kleidung > hemd hose jacke schuhe mantel|feier fest party|termin treffen besprechung|anfangen beginnen beginn start|
  beginnen anfangen start|enden ende aufhören|groß riesig|klein winzig|fehler problem störung|löschen entfernen|
  schnell rasch|wetter > regen schnee sonne|straße weg|adresse anschrift|telefon handy nummer|kunde kundin|rechnung
  quittung|frist termin|hilfe unterstützung|empfehlen empfehlung|grund ursache|schlüssel schloss|parken parkplatz|
  öffnen geöffnet öffnungszeiten|kinder jugendliche|alter jahre|dauern dauer|buchen buchung reservieren reservierung|
  kostenlos gratis umsonst|telefon telefonisch anrufen anruf|nachweis bescheinigung bestätigung zeugnis|zertifikat
  bescheinigung urkunde|barrierefrei rollstuhl behindert|kopie kopieren vervielfältigen|gutschein bon|mitbringen
  mitnehmen|zuschuss förderung fördern|abbuchen abbuchung lastschrift einziehen|rate ratenzahlung|internet wlan|
  verloren fundsache fundbüro|ferien sommer|krankenkasse krankenversicherung kasse|aufzug lift fahrstuhl|broschüre
  prospekt programmheft|unterrichten lehren unterricht|umbuchen umbuchung wechseln|rauchen zigarette|feuer brand
  brennen|beschwerde beschweren unzufrieden|bücherei bibliothek|passwort kennwort zugang|einloggen anmelden login|
  rückerstattung erstatten erstattung|versand lieferung zustellung|liefern lieferung|bestellen bestellung|lieferant
  anbieter hersteller|vertrag vereinbarung|angebot offerte|lager bestand vorrat|büro filiale|abteilung team|
  besprechung sitzung meeting|verschieben verlegen vertagen|verantwortlich zuständig|erlaubt gestattet dürfen|
  verboten untersagt|pflicht verpflichtend muss|mindestens minimum|höchstens maximum maximal|eingang zutritt tür|
  toilette wc|treppe stufen|garderobe schrank spind|schwimmen schwimmbad becken|kursleiter dozent trainer|anfänger
  einsteiger|fortgeschritten experte|erkältung husten fieber|schmerz schmerzen weh|zahnarzt zahn|impfung impfen
  geimpft|operation eingriff|glücklich froh fröhlich|traurig betrübt|wütend sauer verärgert|angst fürchten|gemeinsam
  zusammen|heirat hochzeit trauung|geburtstag jubiläum|geschenk schenken|müll abfall|keller untergeschoss|dachboden
  dach|balkon terrasse|waschen wäsche|putzen reinigen reinigung|strom elektrizität|heizung heizen|werkzeug > hammer
  bohrer säge|blume > rose tulpe lilie|baum > eiche buche kiefer|fleisch > rind schwein huhn wurst|suppe eintopf|
  frühstück > ei müsli brot|abendessen abendbrot|mittagessen mittag|süßigkeit schokolade bonbon|absturz abgestürzt|
  ausfall störung|bereitstellen ausliefern einspielen|sicherung backup|aktualisieren aktualisierung update|version
  ausgabe|einstellung option|rechte berechtigung zugriff|benutzer nutzer anwender konto|prüfen überprüfen
  kontrollieren|ablehnen zurückweisen|genehmigen genehmigung freigabe|ersetzen austauschen|ändern änderung|erhöhen
  steigern|senken verringern|vermeiden verhindern|aufbewahren speichern|suchen finden|zeigen anzeigen|verbergen
  ausblenden|zug bahnhof|bus haltestelle|unfall zusammenstoß|polizei polizist|gericht urteil|anwalt rechtsanwalt|
  reisepass pass ausweis|gast besucher|karte ticket eintritt|eintritt einlass|zeitung artikel|fernsehen sendung|
  nachricht mitteilung|kennzahl metrik|
  beispiel demo muster fixture|aufgabe job task|nacht nächtlich nachts|regelmäßig periodisch wiederkehrend
  cron|wackelig instabil flaky|typprüfung annotation > mypy pyright phpstan|analyse linter > eslint ruff detekt ktlint
  phpstan clippy|prüfung linter|datenbank > postgres postgresql mysql sqlite|warteschlange > kafka rabbitmq
  celery|abbild image > docker dockerfile containerfile|rechner laptop maschine|ausrollen rollout deployment
  ausliefern|veröffentlichen release ausliefern|zweig branch|befehl kommando aufruf|grenze limit höchstens|ablehnen
  zurückweisen abweisen|gleichzeitig parallel|doppelt zweimal dublette|sperre lock mutex|ordner
  verzeichnis|beschleunigen schneller langsam|spalte feld|handbuch anleitung|zeitplan cron|abhängigkeit paket > npm
  pip gradle maven cargo|protokoll log|schnittstelle api endpunkt|benennen umbenennen|wartezeit timeout frist|ablauf
  frist verfall`

export const RELATED_FRENCH = `
  travail emploi métier profession boulot|chef patron directeur responsable|collègue coéquipier|entreprise société
  firme|salaire paie revenu|retraite pension|enfant fils fille bébé gamin|parents père mère|mère maman|père papa|
  frère sœur|mari époux conjoint|femme épouse|mariage marier noces|ami copain|animal > chien chat cheval lapin oiseau|
  chien chiot|maison logement appartement|louer location loyer|déménager déménagement|jardin potager|réparer
  réparation panne|voiture auto véhicule|véhicule > voiture vélo moto camion|vélo bicyclette|train gare|avion vol
  aéroport|vacances congé séjour|voyage séjour trajet|hébergement hôtel chambre|plage mer côte|forêt bois|montagne
  sommet|randonnée marche promenade|tente camping emplacement|repas dîner déjeuner|restaurant café snack|boisson >
  café thé jus bière vin|fruit > pomme poire banane fraise|légume > carotte tomate haricot oignon|viande > bœuf porc
  poulet agneau|médecin docteur|hôpital clinique urgences|malade maladie|blessure blessé|médicament comprimé pharmacie|
  sport > football tennis natation course escalade|piscine baignade nager natation|baignade lac plage|concours
  compétition tournoi|gagner victoire|prix tarif coût|tarif prix montant|payer paiement régler règlement|gratuit
  offert|réduction remise rabais|rembourser remboursement|réserver réservation|annuler annulation|reporter décaler|
  inscription inscrire|arrivée arriver|départ quitter|horaire heure ouverture|ouvert ouverture|fermé fermeture|entrée
  accès portail|clé serrure|parking garer stationnement|stationner garer parking|ascenseur escalier|toilettes
  sanitaires wc|douche sanitaires|eau robinet|électricité courant prise|prise courant branchement|internet wifi réseau|
  poubelle déchets ordures tri|bruit silence calme|feu barbecue grill|fumer cigarette tabac|laver lessive linge|linge
  machine lavage|glace congélateur frigo|frigo réfrigérateur|épicerie magasin supermarché|acheter achat|vendre vente|
  vêtements > chemise pantalon veste manteau|fête soirée animation|cadeau offrir|commencer début démarrer|finir fin
  terminer|aide assistance|problème souci panne|erreur défaut bogue|supprimer effacer|modifier changer|vérifier
  contrôler|autorisé permis|interdit défendu|obligatoire exigé|minimum moins|maximum plafond|âge ans|adresse lieu|
  téléphone appeler|courrier lettre mail|facture note|client acheteur|commande commander|livraison livrer|contrat
  accord|délai échéance|documents papiers|carte plan|assurance couverture|caution dépôt|taxe impôt|école collège lycée|
  cours leçon|professeur enseignant|élève étudiant|examen test|livre roman|film cinéma|musique chanson concert|photo
  image|pluie orage|météo temps|chaud chaleur|froid gel|route chemin rue|bus car|taxi navette|navette bus|guide visite|
  chien animaux|laisse chien|perdu trouvé oublié|plainte réclamation|personnel employés équipe|version édition|
  sauvegarde copie|connexion connecter|mot passe|
  exemple démo échantillon|tâche job|nuit nocturne|périodique récurrent cron|instable intermittent|branche
  branch|commande cli|limite plafond maximum|refuser rejeter décliner|simultané parallèle concurrent|doublon
  double|verrou lock mutex|dossier répertoire|accélérer rapide lent|colonne champ|déployer déploiement
  livraison|publier publication|base > postgres postgresql mysql sqlite|analyse > eslint phpstan ruff
  detekt|annotation typage > mypy pyright phpstan|dépendance paquet > npm pip gradle maven cargo|attente délai
  expiration|manuel guide|machine ordinateur portable|effacer purger supprimer`

export const RELATED_SPANISH = `
  trabajo empleo profesión oficio|jefe gerente director encargado|compañero colega|empresa compañía negocio|sueldo
  salario paga|jubilación pensión|hijo hija niño bebé|padres padre madre|madre mamá|padre papá|hermano hermana|abuela
  abuelo|marido esposo pareja|esposa mujer|boda matrimonio casarse|amigo compañero|mascota > perro gato conejo|animal
  > perro gato caballo pájaro|casa vivienda piso apartamento|alquilar alquiler|mudanza mudarse|jardín huerto|reparar
  reparación avería arreglar|coche carro auto vehículo|vehículo > coche moto bicicleta camión|bicicleta bici|tren
  estación|avión vuelo aeropuerto|vacaciones viaje|viaje excursión trayecto|alojamiento hotel hostal|playa mar costa|
  bosque árboles|montaña cima|senderismo caminata excursión|acampar camping tienda|comida almuerzo cena plato|
  desayuno pan|restaurante cafetería bar|bebida > café té zumo cerveza vino|fruta > manzana pera plátano fresa|
  verdura > zanahoria tomate cebolla|carne > vaca cerdo pollo cordero|médico doctor|hospital clínica urgencias|
  enfermo enfermedad|lesión herida|medicamento medicina pastilla|deporte > fútbol tenis natación ciclismo|piscina
  natación nadar|concurso competición torneo|ganar victoria|precio coste tarifa costo|pagar pago abonar|gratis
  gratuito|descuento rebaja reducción|reembolso devolución devolver|reservar reserva|cancelar cancelación anular|
  aplazar retrasar|inscripción inscribirse matrícula|llegada llegar|salida salir|horario hora|abierto apertura|
  cerrado cierre|entrada acceso puerta|llave cerradura|aparcamiento aparcar estacionar|ascensor elevador|baño aseo
  servicio|ducha baño|electricidad luz corriente|enchufe corriente|internet wifi red|basura residuos|ruido silencio|
  fuego incendio barbacoa|fumar tabaco cigarrillo|lavar lavandería ropa|tienda comercio supermercado|comprar compra|
  vender venta|ropa > camisa pantalón chaqueta abrigo|fiesta celebración|regalo regalar|cita reunión|empezar comenzar
  inicio|terminar acabar fin|ayuda asistencia apoyo|problema fallo|error fallo defecto|borrar eliminar suprimir|
  cambiar modificar|comprobar verificar revisar|permitido autorizado|prohibido vetado|obligatorio requerido|mínimo
  menos|máximo límite tope|edad años|dirección lugar|teléfono llamar llamada|correo carta|factura recibo|cliente
  comprador|pedido encargo|envío entrega|contrato acuerdo|plazo vencimiento|documentos papeles|mapa plano|seguro
  cobertura|fianza depósito|impuesto tasa|escuela colegio instituto|clase lección curso|profesor maestro docente|
  alumno estudiante|examen prueba|libro novela|película cine|música canción concierto|foto imagen|lluvia tormenta|
  calor caliente|frío helado|carretera camino calle|autobús bus|perdido olvidado|queja reclamación|personal empleados
  equipo|contraseña clave|iniciar entrar|versión edición|copia respaldo|despliegue lanzamiento|caída interrupción|
  lento lentitud|permiso acceso derecho|
  ejemplo muestra demo|tarea job|noche nocturno|periódico recurrente cron diario|inestable intermitente|rama
  branch|comando orden|límite tope máximo|rechazar denegar|simultáneo paralelo concurrente|duplicado doble|bloqueo
  lock mutex|carpeta directorio|acelerar rápido lento|columna campo|desplegar despliegue|publicar publicación
  lanzamiento|base > postgres postgresql mysql sqlite|cola > kafka rabbitmq celery|análisis revisión > eslint phpstan
  ruff detekt ktlint|anotación tipado > mypy pyright phpstan|dependencia paquete > npm pip gradle maven cargo|espera
  plazo caducidad|manual guía|máquina ordenador portátil|purgar borrar eliminar`
