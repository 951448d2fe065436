// As `concepts.ts`: what clubs, schools, shops, workshops, farms and wards speak of.

/** Places, people and things away from the desk. */
export const THINGS = `
row | zeile reihe | ligne rangée | fila línea | riga fila | linha | rij | строка ряд | 行 | 行
column | spalte | colonne | columna | colonna | coluna | kolom | столбец колонка | 列 | 列
seat | sitzplatz sitzplätze | siège place_assise | asiento | posto_a_sedere | assento | zitplaats | место места | 座位 | 座席
piece | stück | pièce | pieza unidad | pezzo | peça unidade | stuk | штука штук | 件 | 個
photo picture | foto | photo | foto | foto | foto | foto | фото фотография | 照片 | 写真
video | video | vidéo | vídeo | video | vídeo | video | видео | 视频 | 動画
music | musik | musique | música | musica | música | muziek | музыка | 音乐 | 音楽
song | lied lieder | chanson | canción | canzone | canção | liedje | песня | 歌 | 歌
concert | konzert | concert | concierto | concerto | concerto | concert | концерт | 音乐会 | コンサート
choir | chor | chorale chœur | coro | coro | coro | koor | хор | 合唱团 | 合唱団
rehearsal | probe | répétition | ensayo | prova | ensaio | repetitie | репетиция | 排练 | リハーサル
theatre | theater | théâtre | teatro | teatro | teatro | theater | театр | 剧院 | 劇場
club association | verein | club association | club asociación | circolo associazione | clube associação | vereniging club | клуб | 俱乐部 | クラブ
board | vorstand | conseil_d'administration comité | junta_directiva | consiglio_direttivo | diretoria direção | bestuur | правление | 董事会 | 理事会
chairman chairwoman president | vorsitzende vorsitzender präsident | président présidente | presidente presidenta | presidente | presidente | voorzitter | председатель | 主席 | 会長
treasurer | kassenwart schatzmeister schatzmeisterin | trésorier trésorière | tesorero tesorera | tesoriere cassiere | tesoureiro tesoureira | penningmeester | казначей | 财务主管 | 会計係
secretary | sekretär sekretärin schriftführer | secrétaire | secretario secretaria | segretario segretaria | secretário secretária | secretaris | секретарь | 秘书 | 秘書
vote election | abstimmung wahl | vote élection | votación elección | votazione elezione | votação eleição | stemming verkiezing | голосование выборы | 投票 | 投票
game | spiel | match | partido | partita | jogo partida | wedstrijd | матч | 比赛 | 試合
player | spieler spielerin | joueur joueuse | jugador jugadora | giocatore | jogador | speler | игрок | 球员 | 選手
coach trainer | trainer trainerin | entraîneur entraîneuse | entrenador entrenadora | allenatore allenatrice | treinador treinadora | trainer coach | тренер | 教练 | コーチ
ball | ball bälle | ballon balle | pelota balón | palla pallone | bola | bal | мяч | 球 | ボール
pool swimming_pool | schwimmbad schwimmbecken | piscine | piscina | piscina | piscina | zwembad | бассейн | 游泳池 | プール
gym sports_hall | turnhalle sporthalle | gymnase | gimnasio | palestra | ginásio academia | sporthal gymzaal | спортзал | 体育馆 | 体育館
student pupil | student studentin schüler schülerin | étudiant étudiante élève | estudiante alumno alumna | studente studentessa alunno | estudante aluno aluna | student leerling | студент ученик | 学生 | 学生
teacher | lehrer lehrerin lehrkraft | enseignant enseignante professeur | profesor profesora maestro maestra | insegnante docente professore | professor professora | leraar docent | учитель преподаватель | 老师 | 先生
lesson | unterricht unterrichtsstunde | leçon | lección | lezione | | les | урок | 课 | 授業
homework | hausaufgabe hausaufgaben | devoirs | deberes | compiti | lição_de_casa dever_de_casa | huiswerk | домашнее_задание | 作业 | 宿題
patient | patient patientin | patient patiente | paciente | paziente | paciente | patiënt | пациент | 病人 患者 | 患者
ward | | | | | enfermaria | | палата | 病房 | 病棟
nurse | pflegekraft krankenschwester krankenpfleger | infirmier infirmière | enfermero enfermera | infermiere infermiera | enfermeiro enfermeira | verpleegkundige | медсестра | 护士 | 看護師
doctor physician | arzt ärztin | médecin docteur | médico médica | medico dottore | médico médica | arts dokter | врач | 医生 | 医師
medicine medication | medikament medikamente arznei | médicament | medicamento medicina | farmaco medicinale | medicamento remédio | medicijn | лекарство | 药品 药 | 薬
clinic | klinik praxis | clinique cabinet | clínica consulta | clinica ambulatorio | clínica consultório | kliniek praktijk | клиника | 诊所 | 診療所
hospital | krankenhaus | hôpital | hospital | ospedale | hospital | ziekenhuis | больница | 医院 | 病院
pharmacy | apotheke | pharmacie | farmacia | farmacia | farmácia | apotheek | аптека | 药店 | 薬局
lab laboratory | labor | labo laboratoire | laboratorio | laboratorio | laboratório | lab laboratorium | лаборатория | 实验室 | 実験室
sample | stichprobe muster | échantillon | muestra | campione | amostra | monster | образец проба | 样品 | サンプル
freezer | gefrierschrank tiefkühler | congélateur | congelador | congelatore freezer | freezer congelador | vriezer | морозильник | 冷冻柜 | 冷凍庫
fridge refrigerator | kühlschrank | réfrigérateur frigo | nevera frigorífico | frigorifero frigo | geladeira frigorífico | koelkast | холодильник | 冰箱 | 冷蔵庫
oven | ofen backofen | four | horno | forno | forno | oven | печь духовка | 烤箱 | オーブン
dishwasher | spülmaschine geschirrspüler | lave-vaisselle | lavavajillas lavaplatos | lavastoviglie | lava-louça | vaatwasser | посудомойка | 洗碗机 | 食洗機
washing_machine | waschmaschine | machine_à_laver lave-linge | lavadora | lavatrice | máquina_de_lavar | wasmachine | стиральная_машина | 洗衣机 | 洗濯機
bed | bett betten | lit | cama | letto | cama | bed | кровать койка | 床 | ベッド
bread | brot | pain | pan | pane | pão | brood | хлеб | 面包 | パン
milk | milch | lait | leche | latte | leite | melk | молоко | 牛奶 | 牛乳
meat | fleisch | viande | carne | carne | carne | vlees | мясо | 肉 | 肉
fish | fisch | poisson | pescado | pesce | peixe | vis | рыба | 鱼 | 魚
tea | tee | thé | té | tè | chá | thee | чай | 茶 | お茶
beer | bier | bière | cerveza | birra | cerveja | bier | пиво | 啤酒 | ビール
wine | wein | vin | vino | vino | vinho | wijn | вино | 葡萄酒 | ワイン
restaurant | restaurant gaststätte | restaurant | restaurante | ristorante | restaurante | restaurant | ресторан | 餐厅 | レストラン
bakery | bäckerei | boulangerie | panadería | panetteria panificio | padaria | bakkerij | пекарня | 面包店 | パン屋
knife | messer | couteau couteaux | cuchillo | coltello | faca | mes messen | нож | 刀 | 包丁
market | markt | marché | mercado | mercato | mercado | markt | рынок | 市场 | 市場
stand booth | messestand | stand | puesto caseta | stand | barraca estande | kraam stand | стенд | 展位 | ブース
fair trade_fair | messe | foire salon | feria | fiera | feira | beurs kermis | ярмарка выставка | 展会 | 見本市
museum | museum | musée | museo | museo | museu | museum | музей | 博物馆 | 博物館
church | kirche | église | iglesia | chiesa | igreja | kerk | церковь | 教堂 | 教会
bank | | banque | banco | banca | banco | bank | банк | 银行 | 銀行
insurance | versicherung | assurance | seguro | assicurazione | seguro | verzekering | страховка страхование | 保险 | 保険
lawyer | anwalt anwältin rechtsanwalt | avocat avocate | abogado abogada | avvocato avvocata | advogado advogada | advocaat | юрист адвокат | 律师 | 弁護士
press newspaper | presse zeitung | presse | prensa periódico | stampa giornale | imprensa jornal | pers krant | пресса газета | 报纸 | 新聞
article | artikel | article | artículo | articolo | artigo | artikel | статья | 文章 | 記事
editor | redakteur redakteurin | rédacteur rédactrice | editor editora | redattore redattrice | editor editora redator | redacteur | редактор | 编辑 | 編集者
translation | übersetzung | traduction | traducción | traduzione | tradução | vertaling | перевод | 翻译 | 翻訳
logo | logo | logo | logo logotipo | logo | logo logotipo | logo | логотип | 标志 | ロゴ
font typeface | schrift schriftart | police_de_caractères | tipografía | carattere font | fonte | lettertype | шрифт | 字体 | フォント
poster | plakat | affiche | cartel | manifesto locandina | cartaz | poster affiche | плакат афиша | 海报 | ポスター
flyer leaflet | flyer flugblatt handzettel | tract prospectus | folleto | volantino | folheto panfleto | flyer folder | листовка | 传单 | チラシ
label | etikett etiketten | étiquette | etiqueta | etichetta | etiqueta | etiket | этикетка | 标签 | ラベル
badge id_badge | ausweis | badge | identificación | tesserino | crachá | badge | пропуск бейдж | 工牌 | 社員証
uniform | uniform dienstkleidung | uniforme | uniforme | divisa uniforme | uniforme farda | uniform | униформа | 制服 | 制服
helmet | helm schutzhelm | casque | casco | casco | capacete | helm | каска шлем | 头盔 | ヘルメット
glove | handschuh handschuhe | gant | guante | guanto | luva | handschoen | перчатка перчатки | 手套 | 手袋
truck lorry | lastwagen lkw | camion | camión | camion | caminhão camião | vrachtwagen | грузовик | 卡车 | トラック
driver | fahrer fahrerin | chauffeur conducteur conductrice | conductor conductora chófer | autista conducente | motorista condutor | chauffeur bestuurder | водитель | 司机 | 運転手
route | route strecke tour | itinéraire tournée | ruta recorrido | percorso itinerario | rota percurso | route | маршрут | 路线 | ルート
bus_stop | haltestelle bushaltestelle | arrêt_de_bus | parada | fermata | paragem ponto_de_ônibus | halte bushalte | остановка | 车站 | バス停
station | bahnhof | gare | estación | stazione | estação | station | вокзал станция | 火车站 | 駅
street road | strasse | rue | calle | strada | rua | straat | улица | 街 | 道路
city town | stadt | ville | ciudad | città | cidade | stad | город | 城市 | 市
bridge | brücke | pont | puente | ponte | ponte | brug | мост | 桥 | 橋
boat | boot schiff | bateau | barco | barca nave | barco navio | boot schip | лодка корабль | 船 | 船
harbour | hafen | | | porto | | haven | гавань | 港口 | 港
crane | kran | grue | grúa | gru | guindaste grua | kraan | кран | 起重机 | クレーン
container | container | conteneur | contenedor | container | contêiner contentor | container | контейнер | 集装箱 | コンテナ
pallet | palette paletten | palette | palé palet | pallet bancale | palete | pallet | поддон | 托盘 | パレット
forklift | gabelstapler stapler | chariot_élévateur | carretilla_elevadora | muletto carrello_elevatore | empilhadeira empilhador | heftruck vorkheftruck | погрузчик | 叉车 | フォークリフト
ramp | rampe | rampe quai | rampa | rampa | rampa | laadperron | рампа пандус | 坡道 | スロープ
saw | säge | scie | sierra | sega | serra | zaag | пила | 锯 | のこぎり
drill | bohrer bohrmaschine | perceuse | taladro taladradora | trapano | furadeira berbequim | boor boormachine | дрель | 电钻 | ドリル
pump | pumpe | pompe | bomba | pompa | bomba | pomp | насос | 泵 | ポンプ
engine motor | motor | moteur | motor | motore | motor | motor | двигатель мотор | 发动机 | エンジン
battery | batterie akku | batterie | batería | batteria | bateria | batterij accu | аккумулятор батарея | 电池 | 電池
cable | kabel | câble | cable | cavo | cabo | kabel | кабель | 电缆 | ケーブル
filter | filter | filtre | filtro | filtro | filtro | filter | фильтр | 过滤器 | フィルター
paint | lack anstrich | peinture | pintura | vernice | tinta | verf | краска | 油漆 | 塗料
wood | holz | bois | madera | legno | madeira | hout | дерево древесина | 木材 | 木材
tree | baum bäume | arbre | árbol | albero | árvore | boom bomen | деревья | 树 | 木
plant | pflanze pflanzen | plante | | pianta | planta | plant | растение | 植物 | 植物
greenhouse | gewächshaus | serre | invernadero | serra | estufa | kas | теплица | 温室 | 温室
barn stable | scheune stall | grange étable écurie | granero establo | fienile stalla | celeiro estábulo | stal | амбар конюшня | 谷仓 | 納屋
tractor | traktor | tracteur | tractor | trattore | trator | tractor trekker | трактор | 拖拉机 | トラクター
horse | pferd | cheval chevaux | caballo | cavallo | cavalo | paard | лошадь | 马 | 馬
cow | kuh kühe | vache | vaca | mucca vacca | vaca | koe koeien | корова | 牛 | 牛
hen chicken | huhn hühner henne | poule | gallina | gallina | galinha | kip kippen | курица | 鸡 | 鶏
cat | katze | chat | gato | gatto | gato | kat poes | кошка кот | 猫 | 猫
egg | ei eier | œuf œufs | huevo | uovo uova | ovo | ei eieren | яйцо яйца | 鸡蛋 | 卵
child | kind kinder | enfant | niño niña niños | bambino bambina | criança | kind kinderen | ребёнок дети детей | 孩子 儿童 | 子供
parents | eltern | parents | padres | genitori | pais | ouders | родители родителей | 父母 家长 | 保護者
volunteer | ehrenamtliche | bénévole | | volontario volontaria | voluntário voluntária | vrijwilliger | волонтёр доброволец | 志愿者 | ボランティア
neighbour neighbor | nachbar nachbarin | voisin voisine | vecino vecina | | vizinho vizinha | buurman buurvrouw buur | сосед соседка | 邻居 | 近所
tenant | mieter mieterin | locataire | inquilino inquilina | inquilino inquilina | inquilino inquilina | huurder | арендатор жилец | 租户 | 入居者
landlord | vermieter vermieterin | bailleur | casero arrendador | locatore padrone_di_casa | senhorio | verhuurder | арендодатель | 房东 | 大家
house | haus häuser | maison | casa | casa | casa | huis huizen | дом | 房子 | 家
apartment flat | wohnung | appartement | apartamento | appartamento | apartamento | appartement woning | квартира | 公寓 | アパート
mailbox letterbox | briefkasten | boîte_aux_lettres | buzón | cassetta_delle_lettere | caixa_de_correio | brievenbus | почтовый_ящик | 信箱 | 郵便受け
bin dustbin | mülltonne tonne mülleimer | poubelle | cubo_de_basura contenedor_de_basura | bidone cestino | lixeira caixote_do_lixo | vuilnisbak | мусорный_бак | 垃圾桶 | ゴミ箱
toilet restroom | toilette wc | toilettes wc | baño aseo | bagno | banheiro | toilet wc | туалет | 厕所 洗手间 | トイレ
shower | dusche | douche | ducha | doccia | chuveiro duche | douche | душ | 淋浴 | シャワー
smoking | rauchen | fumer | fumar | fumare | fumar | roken | курение курить | 吸烟 | 喫煙
first_aid | erste_hilfe | premiers_secours | primeros_auxilios | primo_soccorso | primeiros_socorros | ehbo eerste_hulp | первая_помощь | 急救 | 応急処置
fire_extinguisher | feuerlöscher | extincteur | extintor | estintore | extintor | brandblusser | огнетушитель | 灭火器 | 消火器
emergency | notfall | urgence | emergencia | emergenza | emergência | noodgeval | экстренный_случай | 紧急情况 | 緊急
signature | unterschrift | signature | | firma | assinatura | handtekening | подпись | 签名 |
receipt | quittung beleg kassenbon | reçu | recibo | ricevuta scontrino | recibo | bon kassabon | чек квитанция | 收据 | 領収書
expense expenses | spesen auslage | note_de_frais | gasto gastos | spese nota_spese | despesa despesas | onkosten declaratie | расходы | 报销 | 経費
travel | reise dienstreise | voyage | viaje | viaggio trasferta | viagem | reis dienstreis | командировка | 出差 | 出張
overtime | überstunden | heures_supplémentaires | horas_extra | straordinari | horas_extras | overuren | сверхурочные | 加班 | 残業
notice_period | kündigungsfrist | préavis | preaviso | preavviso | aviso_prévio | opzegtermijn | | 通知期 | 
probation trial_period | probezeit | période_d'essai | período_de_prueba | periodo_di_prova | período_de_experiência | proeftijd | испытательный_срок | 试用期 | 試用期間
branch_office subsidiary | niederlassung filiale zweigstelle | filiale succursale | sucursal filial | filiale succursale | filial sucursal | filiaal vestiging | филиал | 分公司 | 支店
headquarters head_office | hauptsitz zentrale | siège_social | sede_central | sede sede_centrale | sede matriz | hoofdkantoor | штаб-квартира | 总部 | 本社
marketing | marketing | marketing | marketing | marketing | marketing | marketing | маркетинг | 市场部 | マーケティング
sales | vertrieb verkauf | ventes service_commercial | ventas | vendite | vendas | verkoop | продажи продаж | 销售 |
purchasing procurement | einkauf beschaffung | achats | compras | acquisti | compras | inkoop | закупки закупок | 采购 | 購買
human_resources hr | personalabteilung | ressources_humaines rh | recursos_humanos | risorse_umane | recursos_humanos | personeelszaken | отдел_кадров | 人事部 人力资源 | 人事
quality | qualität | qualité | calidad | qualità | qualidade | kwaliteit | качество | 质量 | 品質
security | sicherheit | sécurité | seguridad | sicurezza | segurança | beveiliging veiligheid | безопасность | 安全 | セキュリティ
feature function | funktion | fonctionnalité fonction | función funcionalidad | funzionalità funzione | funcionalidade função | functie | функция | 功能 | 機能
module | modul | module | módulo | | módulo | module | модуль | 模块 | モジュール
interface api | schnittstelle | interface | interfaz | interfaccia | interface | interface | интерфейс | 接口 | インターフェース
app application | app anwendung | application appli | aplicación | applicazione app | aplicativo aplicação | app toepassing | приложение | 应用 | アプリ
configuration config settings | konfiguration einstellung einstellungen | configuration paramètre paramètres | configuración ajustes | configurazione impostazioni | configuração configurações | configuratie instellingen | настройка настройки конфигурация | 配置 设置 | 設定
environment | umgebung | environnement | entorno | ambiente | ambiente | omgeving | окружение | 环境 | 環境
domain | domäne domain | domaine | dominio | dominio | domínio | domein | домен | 域名 | ドメイン
certificate | zertifikat | certificat | certificado | certificato | certificado | certificaat | сертификат | 证书 | 証明書
license licence | lizenz | licence | licencia | licenza | licença | licentie | лицензия | 许可证 | ライセンス
memory | arbeitsspeicher speicher | mémoire | memoria | memoria | memória | geheugen | память | 内存 | メモリ
disk | festplatte | disque | disco | disco | disco | schijf | диск | 磁盘 | ディスク
notification | benachrichtigung | notification | notificación | notifica | notificação | melding notificatie | уведомление | 通知 | 通知
comment | kommentar | commentaire | comentario | commento | comentário | opmerking | комментарий | 评论 | コメント
commit | commit commits | commit | commit | commit | commit | commit | коммит | 提交 | コミット
`
