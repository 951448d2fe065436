// Of the things in `concepts.ts`, what is said: how they are, what they do, when; in the same columns.

/** How something is, what it does, and when. */
export const PREDICATES = `
new | neu neue neuer neues neuen | nouveau nouvelle nouvel nouveaux nouvelles | nuevo nueva nuevos nuevas | nuovo nuova nuovi nuove | novo nova novos novas | nieuw nieuwe | новый новая новое новые | 新 | 新しい
old | alt alte altes alten | ancien ancienne anciens vieux vieille | viejo vieja antiguo antigua | vecchio vecchia | velho velha antigo antiga | oud oude | старый старая старое | 旧 | 古い
big | gross grosse grosser grosses grossen | grand grande grands grandes | grande grandes | grande grandi | grande grandes | groot grote | большой большая большое | 大 | 大きい
small | klein kleine kleiner kleines kleinen | petit petite petits petites | pequeño pequeña | piccolo piccola | pequeno pequena | klein kleine | маленький маленькая | 小 | 小さい
weekly | wöchentlich wöchentliche wöchentlicher | hebdomadaire | semanal semanalmente | settimanale settimanalmente | semanal semanalmente | wekelijks wekelijkse | еженедельно еженедельный | 每周 | 毎週
daily | täglich tägliche täglicher | quotidien quotidienne quotidiennement | diario diaria diariamente | giornaliero giornaliera quotidiano | diário diária diariamente | dagelijks dagelijkse | ежедневно ежедневный | 每天 | 毎日
monthly | monatlich monatliche monatlicher | mensuel mensuelle mensuellement | mensual mensualmente | mensile mensilmente | mensal mensalmente | maandelijks maandelijkse | ежемесячно ежемесячный | 每月 | 毎月
yearly annual annually | jährlich jährliche jährlicher | annuel annuelle annuellement | anual anualmente | annuale annualmente | anual anualmente | jaarlijks jaarlijkse | ежегодно ежегодный | 每年 | 毎年
quarterly | vierteljährlich quartalsweise | trimestriel trimestrielle | trimestral trimestralmente | trimestrale | trimestral trimestralmente | driemaandelijks | ежеквартально | 每季度 | 四半期
hourly | stündlich | | | | | | ежечасно | 每小时 | 毎時
open | offen geöffnet | ouvert ouverte ouverts ouvertes | abierto abierta abiertos abiertas | aperto aperta aperti aperte | aberto aberta abertos abertas | open geopend | открыт открыта открыто открыты | 开放 | 開いて 営業
closed | geschlossen | fermé fermée fermés fermées | cerrado cerrada cerrados cerradas | chiuso chiusa chiusi chiuse | fechado fechada fechados fechadas | gesloten dicht | закрыт закрыта закрыто закрыты | 关闭 | 閉まって 休業
locked | abgeschlossen verschlossen abgesperrt | verrouillé verrouillée | | | trancado trancada | vergrendeld | заперт заперта | 锁 |
enabled switched_on | aktiviert eingeschaltet | activé activée activés activées | activado activada habilitado habilitada | abilitato abilitata attivato attivata | ativado ativada habilitado habilitada | ingeschakeld | включён включен включена включено | 启用 | 有効
disabled switched_off | deaktiviert ausgeschaltet | désactivé désactivée | desactivado desactivada deshabilitado deshabilitada | disabilitato disabilitata disattivato disattivata | desativado desativada desabilitado | uitgeschakeld | выключен выключена отключён отключен отключена отключено | 禁用 | 無効
active | aktiv | actif active | activo activa | attivo attiva | ativo ativa | actief | активен активна активно | 活跃 |
inactive | inaktiv | inactif inactive | inactivo inactiva | inattivo inattiva | inativo inativa | inactief | неактивен | |
broken defective out_of_order | kaputt defekt | cassé cassée panne en_panne hors_service | averiado averiada roto rota estropeado fuera_de_servicio | guasto guasta rotto rotta fuori_servizio | quebrado quebrada avariado avariada | kapot defect | сломан сломана сломано неисправен | 坏 故障 | 故障 壊れて
works | funktioniert | fonctionne marche | funciona | funziona | funciona | werkt | работает | 正常 | 動いて
minimum minimal | mindest minimum | minimum | mínimo mínima | minimo minima | mínimo mínima | minimum minimale | минимум минимальный | 最低 最小 | 最低
maximum maximal | höchst maximum maximal | maximum | máximo máxima | massimo massima | máximo máxima | maximum maximale | максимум максимальный | 最大 | 最大
required mandatory compulsory | erforderlich obligatorisch vorgeschrieben pflicht verpflichtend | obligatoire requis requise | obligatorio obligatoria | obbligatorio obbligatoria | obrigatório obrigatória | verplicht | обязателен обязательна обязательно | 必须 必填 | 必須
optional voluntary | freiwillig optional | facultatif facultative optionnel optionnelle | opcional voluntario voluntaria | facoltativo facoltativa opzionale | opcional facultativo | optioneel vrijwillig | необязательно необязателен | 可选 | 任意
allowed permitted | erlaubt gestattet zulässig | autorisé autorisée permis permise | permitido permitida | permesso permessa consentito consentita | permitido permitida | toegestaan | разрешено разрешён разрешен разрешена разрешены | 允许 | 許可
forbidden prohibited banned | verboten untersagt unzulässig | interdit interdite interdits interdites | prohibido prohibida prohibidos prohibidas | vietato vietata vietati vietate | proibido proibida proibidos proibidas | verboden | запрещено запрещён запрещен запрещена запрещены | 禁止 | 禁止
free free_of_charge | kostenlos gratis unentgeltlich | gratuit gratuite | gratuito gratuita | gratuito gratuita | gratuito grátis | gratis | бесплатно бесплатный | 免费 | 無料
full | voll | plein pleine complet complète | lleno llena completo | pieno piena | cheio cheia | vol | полон заполнен | 满 | 満席
empty | leer | vide | vacío vacía | vuoto vuota | vazio vazia | leeg | пуст пустой | 空 | 空
available | verfügbar vorrätig | disponible | disponible | disponibile | disponível | beschikbaar | доступен доступна доступно | 可用 | 利用可能
public | öffentlich öffentliche | public publique publics publiques | público pública | pubblico pubblica | público pública | openbaar publiek | публичный публичная | 公开 | 公開
private | privat private | privé privée | privado privada | privato privata | privado privada | privé | приватный приватная закрытый | 私有 | 非公開
internal | intern interne interner internes internen | interne internes | interno interna | interno interna | interno interna | intern interne | внутренний внутренняя | 内部 | 社内
external | extern externe externer externes externen | externe externes | externo externa | esterno esterna | externo externa | extern externe | внешний внешняя | 外部 | 社外
finished completed | fertig erledigt | terminé terminée fini finie | terminado terminada acabado | finito finita completato completata terminato | concluído concluída terminado pronto | klaar afgerond | готов готова готово завершён завершена завершено | 完成 | 完了
cancelled canceled called_off | abgesagt storniert | annulé annulée | cancelado cancelada anulado anulada | annullato annullata disdetto | cancelado cancelada | geannuleerd afgelast | отменён отменен отменена отменено | 取消 | 中止
postponed | verschoben vertagt | reporté reportée repoussé repoussée | aplazado aplazada pospuesto pospuesta | rinviato rinviata rimandato rimandata | adiado adiada | uitgesteld verzet | перенесён перенесен перенесена перенесено | 推迟 | 延期
moved | umgezogen verlegt | déplacé déplacée déménagé transféré transférée | trasladado trasladada movido movida mudado mudada | spostato spostata trasferito trasferita | transferido transferida mudado movido mudou | verhuisd verplaatst | переехал переехала переехали | 搬到 迁移到 移到 | 移転 移動
replaced | ersetzt abgelöst | remplacé remplacée | sustituido sustituida reemplazado reemplazada | sostituito sostituita | substituído substituída | vervangen | заменён заменен заменена | 替换 | 置き換え
planned scheduled | geplant angesetzt | prévu prévue planifié planifiée | previsto prevista programado programada | previsto prevista fissato fissata programmato | previsto prevista marcado marcada agendado agendada | gepland | запланирован запланирована запланировано назначен назначена | 计划 | 予定
due | fällig | dû due échue | vence vencen | scadono | vence vencem | verschuldigd | подлежит | 到期 |
starts begins start begin | beginnt beginnen startet starten fängt~an fangen~an | commence commencent débute débutent démarre | empieza empiezan comienza comienzan | inizia iniziano comincia | começa começam inicia | begint beginnen start | начинается начинаются | 开始 | 始まります 開始
ends finishes | endet enden hört~auf | finit termine terminent finissent | termina terminan acaba | finisce finiscono termina | termina terminam acaba | eindigt eindigen | заканчивается заканчиваются | 结束 | 終わります 終了
opens | öffnet öffnen | ouvre ouvrent | abre abren | apre aprono | abre abrem | opent openen | открывается | 开门 | 開きます 開店
closes | schliesst schliessen | ferme ferment | cierra cierran | chiude chiudono | fecha fecham | sluit sluiten | закрывается | 关门 | 閉まります 閉店
happens takes_place happen take_place occurs | findet~statt finden~statt | lieu tiennent tient se_tient a_lieu ont_lieu | celebra celebran tiene_lugar tienen_lugar se_celebra | si_tiene si_tengono ha_luogo si_svolge | acontece acontecem ocorre realiza-se | vindt~plaats vinden~plaats | проходит проходят состоится проводится | 举行 | 行われます 行います
meets meet | trifft treffen tagt | réunit réunissent | reúne reúnen | riunisce riuniscono | reúne reúnem | vergadert | собирается собираются | |
uses use | nutzt nutzen benutzt benutzen verwendet verwenden setzt | utilise utilisons utilisent emploie | usa usan usamos utiliza utilizan utilizamos | usa usano usiamo utilizza utilizziamo | usa usam usamos utiliza utilizamos | gebruikt gebruiken | использует используем используют | 使用 | 使用 使います 使って
runs run | läuft laufen | tourne tournent | corre corren ejecuta ejecutan se_hace se_realiza se_ejecuta | gira girano | roda rodam corre | draait draaien | крутится | 运行 | 動作 稼働
sits | sitzt steht liegt stehen liegen befindet befinden | trouve trouvent situé située | encuentra encuentran | trova trovano | fica ficam encontra | staat staan ligt liggen | находится находятся лежит лежат | 位于 | あります 位置
kept stored | aufbewahrt gelagert gespeichert abgelegt | rangé stocké stockée stockés stockées conservé conservée conservés | guarda guardan guardado guardada almacenado almacenada almacenan | conservato conservata custodito salvati salvato conservati | guardado guardada armazenado guardados guardadas armazenados | bewaard opgeslagen | хранится хранятся | 存放 存储 保存 | 保管 保存
lives | wohnt lebt | habite vit | vive | abita vive | mora vive | woont | живёт живет | 住在 住 | 住んで
costs | kostet | coûte coûtent | cuesta cuestan | costa costano | custa custam | kost | стоит | |
lasts | dauert dauern | dure durent | dura duran | dura durano | dura duram demora | duurt duren | длится | 持续 | かかります
gets get receives receive | bekommt bekommen erhält erhalten | reçoit reçoivent | recibe reciben | riceve ricevono | recebe recebem | krijgt krijgen ontvangt | получает получают | 收到 得到 | 受け取ります
goes go | geht gehen | va vont | va van | va vanno | vai vão | gaat gaan | идёт идут | |
belongs | gehört gehören | appartient | pertenece | appartiene | pertence | hoort behoort | принадлежит | 属于 |
needs need requires require | braucht brauchen benötigt benötigen | nécessite exige requiert faut besoin | necesita necesitan requiere requieren | richiede richiedono serve | precisa precisam requer exige necessita | nodig vereist | нужен нужна нужно нужны требует требуется | 需要 | 必要
leads led | leitet führt geleitet geführt | dirige dirigé dirigée | dirige lidera dirigido dirigida | dirige guida diretto diretta guidato | dirige lidera coordena liderado liderada | leidt geleid | руководит возглавляет | 领导 | 率いて
manages handles maintains looks_after takes_care_of supervises supervised handled maintained managed | betreut verwaltet pflegt kümmert | gère s'occupe occupe | gestiona encarga lleva | gestisce cura occupa | gerencia gere cuida | beheert verzorgt | занимается заведует ведёт ведет | 管理 | 管理
approves approve | genehmigt genehmigen | approuve | aprueba | approva | aprova | keurt~goed | одобряет согласует | | 承認します
prefers prefer | bevorzugt | préfère | prefiere | preferisce | prefere | verkiest | предпочитает | 喜欢 偏好 | 好みます
wants | möchte wünscht | veut souhaite | quiere desea | vuole desidera | quer deseja | wil wenst | хочет | 想要 | 希望
send sent sends | sende senden gesendet schickt schicken versendet geschickt verschickt | envoie envoyé envoyée envoyés envoyées envoyer | envía enviar enviado envían | inviare inviato invia | envia enviar enviado enviados | verstuurd verzonden stuur stuurt | отправляет отправляются отправлять отправляем | 发送 | 送信 送ります
delivered delivers | geliefert liefert | livré livrée | entregado entregan | consegnato | entregue | geleverd levert | доставлен доставляет | 送达 |
paid pays chargeable | bezahlt zahlt gezahlt kostenpflichtig gebührenpflichtig | payé payée payés paie payant payante | pagado pagada paga pagan de_pago | pagato pagata pagati a_pagamento | pago paga pagos | betaald betaalt | оплачен оплачивает оплачиваются платный платная платно | 收费 | 有料
written write | geschrieben verfasst schreiben | rédigé rédigée écrit écrite rédigés | escrito escrita escriben redacta redactan | scritto scritta scritti | escrito escrita escritos | geschreven | пишутся пишем написан | 编写 写 | 書きます
printed | gedruckt | imprimé imprimée imprimés | impreso impresa imprime | stampato stampata | impresso impressa | gedrukt | печатается | 打印 | 印刷
cleaned | gereinigt geputzt | nettoyé nettoyée nettoyés | limpia limpian limpiado | pulito pulita | limpo limpa | schoongemaakt | убирают | 打扫 |
checked | geprüft überprüft kontrolliert | vérifié vérifiée contrôlé | revisado revisada revisa | controllato controllata | verificado verificada | gecontroleerd | проверяется проверяют | 检查 | 確認
deleted | gelöscht | supprimé supprimée supprimés supprimées | eliminado eliminada borrado borran eliminan | eliminato eliminata cancellati eliminati | excluído excluída apagado apagados eliminados | verwijderd gewist | удаляются удаляется удалён | 删除 | 削除
limited | begrenzt beschränkt | limité limitée limités | limitado limitada | limitato limitata | limitado limitada | beperkt | ограничен ограничена | |
expires expire | verfällt verfallen läuft~ab laufen~ab | expire expirent | caduca caducan expira | scade | expira expiram | verloopt verlopen vervalt | истекает истекают | 过期 | 失効
age | alter | âge | edad | età | idade | leeftijd | возраст | 年龄 | 年齢
degree degrees | grad | degré degrés | grado grados | grado gradi | grau graus | graad graden | градус градусов | 度 | 度
membership | mitgliedschaft | adhésion | membresía | iscrizione | | lidmaatschap | членство | 会员资格 | 会員資格
script | skript | script | script | script | script | script | скрипт | 脚本 | スクリプト
balcony | balkon | balcon | balcón | balcone | varanda | balkon | балкон | 阳台 | ベランダ
on-call_shift | rufbereitschaft bereitschaft | astreinte | guardia | reperibilità | plantão | piket | дежурство | 值班 | 当番
per | pro | | | | | | | |
done made | gemacht | fait faite faits | hecho hecha hacen | fatto fatta | feito feita | gedaan gemaakt | делается | |
processed process | verarbeitet bearbeitet | traité traitée traités | procesado procesada procesan | elaborato elaborata | processado processada | verwerkt | обрабатывается обрабатываются | 处理 | 処理
sequentially | nacheinander sequenziell | séquentiellement | secuencialmente | sequenzialmente | sequencialmente | achtereenvolgens | последовательно | |
parallel in_parallel | parallel gleichzeitig | parallèle en_parallèle | paralelo en_paralelo | parallelo in_parallelo | paralelo em_paralelo | parallel | параллельно | 并行 | 並列
rehearse rehearses | probt proben | répète répètent | ensaya ensayan | provano | ensaia ensaiam | repeteert repeteren | репетирует |  |
teach teaches | unterrichtet lehrt | enseigne enseignent | enseña enseñan | insegna insegnano | ensina leciona | | преподаёт | 教 |
wash washed | wäscht gewaschen waschen | lave lavé lavée lavés | lava lavan lavado | lava lavano lavato | lava lavam lavado | wast gewassen | моет моют | 洗 |
feed feeds fed | füttert füttern gefüttert | nourrit nourrissent | alimenta alimentan | nutre | alimenta alimentam | voert voeren gevoerd | кормит кормят | 喂 |
wear wears worn | trägt tragen getragen | portent | | indossa indossano | veste vestem | draagt dragen | носит носят | 穿 |
buy buys bought | kauft kaufen gekauft | achète achetons achètent acheté | compra compran compramos comprado | compra comprano compriamo comprato | compra compram comprado compramos | koopt kopen gekocht | покупает покупаем покупают | 购买 买 | 購入
sell sells sold | verkauft verkaufen | vend vendons vendent vendu | vende venden vendemos vendido | vende vendono vendiamo venduto | vende vendem vendemos vendido | verkoopt verkopen verkocht | продаёт продаем продают | 出售 卖 | 販売
ordered orders | bestellt bestellen | commandé commandons | pide piden | ordina ordiniamo ordinato | encomendado | bestelt besteld bestellen | заказывает заказываем | 订购 | 発注
booked reserved | gebucht buchen reserviert | réservé réservée réserver | reservado reservada reserva reservan | prenotato prenotata prenotano | reservado reservada reserva | geboekt gereserveerd | забронирован бронируется | 预订 预约 | 予約済み
leaves departs depart | fährt~ab abfahrt fahren~ab | part partent | sale salen | parte partono | parte partem | vertrekt vertrekken | отправляется отходит | 出发 | 出発
arrives arrive | kommt~an kommen~an ankunft | arrive arrivent | llega llegan | arriva arrivano | chega chegam | arriveert komt~aan | прибывает приходит | 到达 | 到着
signed signs | unterschrieben unterschreibt unterzeichnet | signé signée signe | firmado firmada firma | firmato firmata | assinado assinada assina | getekend ondertekend tekent | подписан подписывает | 签 | 署名
built builds | gebaut baut | construit construite | construido construida | costruito costruita | construído construída | gebouwd | построен | |
updated | aktualisiert | actualisé mis_à_jour mise_à_jour | actualizado actualizada | aggiornato aggiornata | atualizado atualizada | bijgewerkt | обновлён обновляется | 更新 | 更新
installed | installiert | installé installée | instalado instalada | installato installata | instalado instalada | geïnstalleerd | установлен установлена | 安装 | インストール
restarted restarts | neugestartet neu_gestartet | redémarré redémarre | reiniciado reinicia | riavviato riavvia | reiniciado reinicia | herstart | перезапускается | 重启 | 再起動
published | publiziert erscheint | publié publiée paraît | publicado publicada publica | pubblicato pubblicata esce | publicado publicada | gepubliceerd verschijnt | публикуется выходит | 出版 | 公開済み
translated | übersetzt | traduit traduite | traducido traducida | tradotto tradotta | traduzido traduzida | vertaald | переведён | 翻译成 |
measured | gemessen | mesuré mesurée | medido medida mide | misurato misurata | medido medida | gemeten | измеряется | 测量 | 測定
weighed | gewogen | pesé pesée pesés | pesado pesada pesan | pesato pesata | pesado pesada pesados | gewogen | взвешивают | 称重 |
cooked cooks | gekocht kocht | cuisiné | cocinado | cucinato | | gekookt kookt | готовит | | 
trained trains | trainiert trainieren | entraîne s'entraîne | entrena entrenan | allena allenano si_allena | treina treinam | traint trainen | тренирует тренируется | |
plays played | spielt spielen gespielt | joue jouent | juega juegan | gioca giocano | joga jogam | speelt spelen | играет играют | |
encrypted | verschlüsselt | chiffré chiffrée chiffrés | cifrado cifrada cifrados | cifrato cifrata crittografati | criptografado criptografada | versleuteld | зашифрован зашифрованы | 加密 | 暗号化
supported supports | unterstützt | pris_en_charge prend_en_charge | soportado soporta | supportato supporta | suportado suporta | ondersteund ondersteunt | поддерживается поддерживает |  | サポート対象
valid | gültig gilt | valable valide | válido válida vigente | valido valida | válido válida | geldig | действителен действует действительна | 有效 | 
set | eingestellt | réglé réglée | fijado fijada ajustado ajustada | impostato impostata | ajustado ajustada definido definida | ingesteld | | 设置为 | 設定されて
repaired fixed | repariert behoben | réparé réparée | reparado reparada arreglado arreglada | riparato riparata | consertado consertada reparado reparada | gerepareerd hersteld | отремонтирован отремонтирована исправлен починили | 修好 | 修理済み
reopened | wiedereröffnet | rouvert rouverte | reabierto reabierta | riaperto riaperta | reaberto reaberta | heropend | | 重新开放 |
painted | gestrichen lackiert | peint peinte | pintado pintada | dipinto dipinta verniciato | | geverfd | покрашен окрашен | |
called named | heisst genannt | s'appelle appelé | llama llamado | chiama chiamato | chama chamado | heet | называется | 名为 | 
monday mondays | montag montags | lundi lundis | lunes | lunedì | segunda segunda-feira segundas segundas-feiras | maandag maandags | понедельник понедельникам | 周一 每周一 每星期一 星期一 逢周一 | 月曜日 月曜
tuesday tuesdays | dienstag dienstags | mardi mardis | martes | martedì | terça terça-feira terças terças-feiras | dinsdag dinsdags | вторник вторникам | 周二 每周二 每星期二 星期二 逢周二 | 火曜日 火曜
wednesday wednesdays | mittwoch mittwochs | mercredi mercredis | miércoles | mercoledì | quarta quarta-feira quartas quartas-feiras | woensdag woensdags | среда среду средам | 周三 每周三 每星期三 星期三 逢周三 | 水曜日 水曜
thursday thursdays | donnerstag donnerstags | jeudi jeudis | jueves | giovedì | quinta quinta-feira quintas quintas-feiras | donderdag donderdags | четверг четвергам | 周四 每周四 每星期四 星期四 逢周四 | 木曜日 木曜
friday fridays | freitag freitags | vendredi vendredis | viernes | venerdì | sexta sexta-feira sextas sextas-feiras | vrijdag vrijdags | пятница пятницу пятницам | 周五 每周五 每星期五 星期五 逢周五 | 金曜日 金曜
saturday saturdays | samstag samstags sonnabend sonnabends | samedi samedis | sábado sábados | sabato | sábado sábados | zaterdag zaterdags | суббота субботу субботам | 星期六 周六 每周六 每星期六 星期六 逢周六 | 土曜日 土曜
sunday sundays | sonntag sonntags | dimanche dimanches | domingo domingos | domenica | domingo domingos | zondag zondags | воскресенье воскресеньям | 星期日 周日 每周日 每星期日 星期天 | 日曜日 日曜
january jan | januar | janvier | enero | gennaio | janeiro | januari | январь января январе | 一月 |
february feb | februar | février | febrero | febbraio | fevereiro | februari | февраль февраля феврале | 二月 |
march mar | märz | mars | marzo | marzo | março | maart | март марта марте | 三月 |
april apr | april | avril | abril | aprile | abril | april | апрель апреля апреле | 四月 |
may | mai | mai | mayo | maggio | maio | mei | май мая мае | 五月 |
june jun | juni | juin | junio | giugno | junho | juni | июнь июня июне | 六月 |
july jul | juli | juillet | julio | luglio | julho | juli | июль июля июле | 七月 |
august aug | august | août | agosto | agosto | agosto | augustus | август августа августе | 八月 |
september sep sept | september | septembre | septiembre | settembre | setembro | september | сентябрь сентября сентябре | 九月 |
october oct | oktober | octobre | octubre | ottobre | outubro | oktober | октябрь октября октябре | 十月 |
november nov | november | novembre | noviembre | novembre | novembro | november | ноябрь ноября ноябре | 十一月 |
december dec | dezember | décembre | diciembre | dicembre | dezembro | december | декабрь декабря декабре | 十二月 |
noon midday | mittag mittags | midi | mediodía | mezzogiorno | meio-dia | | полдень | 中午 | 正午
midnight | mitternacht | minuit | medianoche | mezzanotte | meia-noite | middernacht | полночь полночи | 午夜 | 深夜
spring | frühling frühjahr | printemps | primavera | primavera | primavera | voorjaar lente | весна весной | 春天 春季 | 春
summer | sommer | été | verano | estate | verão | zomer | лето летом | 夏天 夏季 | 夏
autumn fall | herbst | automne | otoño | autunno | outono | herfst | осень осенью | 秋天 秋季 | 秋
winter | winter | hiver | invierno | inverno | inverno | winter | зима зимой | 冬天 冬季 | 冬
christmas | weihnachten | noël | navidad | natale | natal | kerst kerstmis | рождество | 圣诞节 | クリスマス
morning | morgen morgens vormittag vormittags | matin | mañana | mattina mattino | manhã | ochtend | утро утром | 上午 早上 | 午前 朝
afternoon | nachmittag nachmittags | après-midi après_midi | tarde | pomeriggio | tarde | namiddag | | 下午 | 午後
evening | abend abends | soir soirée | | sera | | avond | вечер вечером | 晚上 | 夜
night | nacht nachts | nuit | noche | notte | noite | nacht | ночь ночью | 夜间 |
weekend weekends | wochenende wochenenden | week-end weekend fin_de_semaine | fin_de_semana fines_de_semana | fine_settimana weekend | fim_de_semana fins_de_semana | weekend | выходные выходным | 周末 | 週末
week | woche wochen | semaine semaines | semana semanas | settimana settimane | semana semanas | week weken | неделя недели недель неделю | 周 | 週間
day days | tag tage tagen | jour jours | día días | giorno giorni | dia dias | dag dagen | день дня дней | 天 | 日間
hour hours | stunde stunden | heure heures | hora horas | ora ore | hora horas | uur | час часа часов | 小时 | 時間
minute minutes | minute minuten | minute minutes | minuto minutos | minuto minuti | minuto minutos | minuut minuten | минута минуты минут | 分钟 | 分
month months | monat monate monaten | mois | mes meses | mese mesi | mês meses | maand maanden | месяц месяца месяцев | 个月 月 | か月 ヶ月
year years | jahr jahre jahren | an ans année années | año años | anno anni | ano anos | jaar jaren | год года лет | 年 | 年
person people persons | person personen leute | personne personnes | persona personas | persona persone | pessoa pessoas | persoon personen mensen | человек человека | 人 | 人 名
percent | prozent | pourcent | | | | procent | процент процента процентов | |
english | englisch englische englischen | anglais anglaise | inglés inglesa | inglese | inglês inglesa | engels engelse | английский английском английская | 英语 英文 | 英語
german | deutsch deutsche deutschen | allemand allemande | alemán alemana | tedesco tedesca | alemão alemã | duits duitse | немецкий немецком | 德语 德文 | ドイツ語
french | französisch französische | français française | francés francesa | francese | francês francesa | frans franse | французский французском | 法语 法文 | フランス語
spanish | spanisch spanische | espagnol espagnole | español española castellano | spagnolo spagnola | espanhol espanhola | spaans spaanse | испанский испанском | 西班牙语 | スペイン語
italian | italienisch italienische | italien italienne | italiano italiana | italiano italiana | italiano italiana | italiaans italiaanse | итальянский итальянском | 意大利语 | イタリア語
portuguese | portugiesisch portugiesische | portugais portugaise | portugués portuguesa | portoghese | português portuguesa | portugees portugese | португальский | 葡萄牙语 | ポルトガル語
dutch | niederländisch niederländische | néerlandais néerlandaise | neerlandés holandés | olandese | neerlandês holandês | nederlands nederlandse | нидерландский голландский | 荷兰语 | オランダ語
russian | russisch russische | russe | ruso rusa | russo russa | russo russa | russisch russische | русский русском | 俄语 俄文 | ロシア語
red | rot rote roten roter rotes | rouge rouges | rojo roja rojos rojas | rosso rossa rossi rosse | vermelho vermelha vermelhos | rood rode | красный красная красные | 红色 | 赤 赤い
blue | blau blaue blauen blauer blaues | bleu bleue bleus bleues | azul azules | blu | azul azuis | blauw blauwe | синий синяя синие | 蓝色 | 青 青い
green | grün grüne grünen grüner grünes | vert verte verts vertes | verde verdes | verde verdi | verde verdes | groen groene | зелёный зеленый зелёная | 绿色 | 緑
yellow | gelb gelbe gelben gelber gelbes | jaune jaunes | amarillo amarilla | giallo gialla | amarelo amarela | geel gele | жёлтый желтый жёлтая | 黄色 | 黄色
black | schwarz schwarze schwarzen | noir noire | negro negra | nero nera | preto preta | zwart zwarte | чёрный черный чёрная | 黑色 | 黒
white | weiss weisse weissen | blanc blanche | blanco blanca | bianco bianca | branco branca | wit witte | белый белая | 白色 | 白
grey gray | grau graue grauen | gris grise | gris grises | grigio grigia | cinza cinzento | grijs grijze | серый серая | 灰色 | 灰色
cash | bar bargeld | espèces liquide | efectivo | contanti | dinheiro | contant | наличные наличными | 现金 | 現金
bank_transfer transfer | überweisung banküberweisung | virement | transferencia | bonifico | transferência | overschrijving | | 转账 | 振込
email e-mail mail | e-mail mail | courriel e-mail mail | correo correo_electrónico e-mail | e-mail mail posta_elettronica | e-mail correio_eletrônico | e-mail mail | почта почте | 邮件 邮箱 | メール
post | post briefpost | poste voie_postale | correo_postal | posta | correio correios | post | | 邮寄 | 郵便
paper | papier | papier | papel | | papel | papier | бумага бумаге | 纸 | 紙
dark | dunkel dunkle dunklen dunkles | sombre foncé | oscuro oscura | scuro scura | escuro escura | donker donkere | тёмный темный тёмная тёмную | 深色 | ダーク
bright | hell helle hellen helles | clair claire | claro clara | chiaro chiara | claro clara | | светлый светлая светлую | 浅色 | ライト
before | vor | avant | antes | prima | antes | | до перед | 之前 | 前
after | nach | après | después tras | dopo | depois após | na | после | 之后 | 後
ground_floor | erdgeschoss | rez-de-chaussée | planta_baja | pianterreno piano_terra | térreo rés-do-chão | begane_grond | | 一楼 | 一階
germany | deutschland | allemagne | alemania | germania | alemanha | duitsland | германия германии | 德国 | ドイツ
france | frankreich | france | francia | francia | frança | frankrijk | франция франции | 法国 | フランス
spain | spanien | espagne | españa | spagna | espanha | spanje | испания испании | 西班牙 | スペイン
italy | italien | italie | italia | italia | itália | italië | италия италии | 意大利 | イタリア
switzerland | schweiz | suisse | suiza | svizzera | suíça | zwitserland | швейцария швейцарии | 瑞士 | スイス
austria | österreich | autriche | austria | austria | áustria | oostenrijk | австрия австрии | 奥地利 | オーストリア
netherlands | niederlande niederlanden | pays-bas | países_bajos | paesi_bassi | países_baixos | nederland | нидерланды нидерландах | 荷兰 | オランダ
europe | europa | europe | europa | europa | europa | europa | европа европе | 欧洲 | ヨーロッパ
`

/** Words that say nothing by themselves, where one of them is what another is whatever stands around it. */
export const PARTICLES = `
the | der die das dem den | le la les | el la los las | il lo la i gli le | o os as | de het
a | ein eine einen einem einer | un une | un una | un uno una | um uma | een
is | ist gibt_es es_gibt | est il_y_a | es está hay | è | é está | is
are | sind | sont | son están | sono | são estão | zijn
in | in im ins | dans | en | in nel nella nei nelle nell | em no na nos nas | in | в | 在
at | um | à | a_las a_la | alle | às | om
on | am auf | sur | | sul sulla | | op
for | für | pour | para | per | para | voor | для
with | mit | avec | con | con | com | met | с | 用
every | jeden jede jedes jeder | chaque | cada | ogni | cada | elke ieder iedere | каждый каждую каждое каждые | 每 | 毎
until | bis | jusque | hasta | fino | até | tot |  | 到 | まで
within | innerhalb binnen | | | entro | | binnen
of | | | | degli della delle dello dei | |
`
