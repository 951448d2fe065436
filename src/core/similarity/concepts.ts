// What teams that write in more than one language speak of at work: one row a thing, a column each language. Put together by
// hand from dictionaries and office vocabulary; none of it was taken from a text that is measured. The English word that stands
// first is the one by which the others are compared. `_` joins the words of a phrase, `~` a verb and the particle at the end of
// its sentence. Left out is a word that means two of the rows in its own language.

/** The columns. */
export const CONCEPT_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'zh', 'ja'] as const

/** What texts speak of, and what is said of it. */
export const CONCEPTS = `
meeting | besprechung sitzung meeting | réunion | reunión | riunione | reunião | vergadering overleg | совещание собрание | 会议 會議 | 会議 ミーティング
appointment | termin | rendez-vous | cita | appuntamento | compromisso | afspraak | встреча |  | 予約
standup stand-up | standup daily-standup stehung | standup mêlée stand-up | standup | standup | standup | standup stand-up | стендап планёрка | 站会 | 朝会
training | schulung | formation | formación | formazione | formação treinamento | training opleiding | обучение тренинг | 培训 | 研修
workshop | workshop werkstatt | atelier | taller | workshop officina | oficina workshop | workshop | семинар | 研讨会 |
demo | demo vorführung | démo démonstration | demo demostración | demo dimostrazione | demo demonstração | demo | демонстрация демо | 演示 | デモ
deadline due_date | frist abgabefrist abgabetermin stichtag | échéance date_limite délai | plazo fecha_límite | scadenza termine | prazo data_limite | deadline inleverdatum | срок дедлайн | 截止日期 截止时间 | 締め切り 締切 期限
date | datum | date | fecha | data | data | datum | дата | 日期 | 日付
schedule timetable | zeitplan fahrplan | calendrier horaire | calendario horario | orario calendario | cronograma calendário horário | rooster planning | расписание график | 时间表 日程 | スケジュール
shift | schicht dienst | poste_de_travail | turno | turno | turno | dienst ploegendienst | смена | 班次 | シフト
invoice | rechnung | facture | factura | fattura | fatura | factuur | счёт счет счета | 发票 | 請求書
payment | zahlung bezahlung | paiement règlement | pago | pagamento | pagamento | betaling | оплата платёж платеж | 付款 支付 | 支払い 支払
billing invoicing | abrechnung rechnungsstellung fakturierung | facturation | facturación | fatturazione | faturamento faturação | facturering | биллинг | 计费 | 請求
accounting bookkeeping | buchhaltung | comptabilité | contabilidad | contabilità | contabilidade | boekhouding | бухгалтерия | 会计 财务 | 経理
customer client | kunde kundin kunden | client cliente | cliente | cliente | cliente | klant | клиент заказчик | 客户 | 顧客 お客様
supplier vendor | lieferant lieferanten zulieferer | fournisseur | proveedor | fornitore | fornecedor | leverancier | поставщик | 供应商 | 仕入先 サプライヤー
contract | vertrag vertrags vertrages | contrat | contrato | contratto | contrato | contract overeenkomst | договор контракт | 合同 | 契約
order | bestellung auftrag | commande | pedido | ordine | pedido encomenda | bestelling | заказ | 订单 | 注文
offer quotation | angebot | devis offre | oferta | offerta preventivo | proposta | offerte aanbod | предложение | 报价 | 見積もり 見積
delivery | lieferung zustellung | livraison | entrega | consegna | entrega | levering bezorging | доставка поставка | 交货 送货 | 配達 納品
parcel package | paket | colis | paquete | pacco | pacote | pakket pakje | посылка | 包裹 | 荷物
return | rückgabe rücksendung retoure | retour | devolución | reso restituzione | devolução | retour retourzending | возврат | 退货 | 返品
refund | erstattung rückerstattung | remboursement | reembolso | rimborso | reembolso | terugbetaling restitutie | возмещение | 退款 | 返金
warranty | garantie gewährleistung | garantie | garantía | garanzia | garantia | garantie | гарантия | 保修 | 保証
price | preis | prix | precio | prezzo | preço | prijs | цена | 价格 | 価格
cost | kosten | coût coûts | coste costo | costo | custo | kosten | стоимость | 成本 | コスト 費用
fee | gebühr | frais | tarifa cuota | tariffa quota | taxa | tarief | плата взнос | 费用 | 手数料
rent | miete | loyer | alquiler | affitto | aluguel renda | huur | аренда | 租金 | 家賃
budget | budget etat | budget | presupuesto | budget | orçamento | budget begroting | бюджет | 预算 | 予算
discount | rabatt nachlass | remise rabais | descuento | sconto | desconto | korting | скидка | 折扣 | 割引
salary wage | gehalt lohn | salaire | salario sueldo | stipendio | salário | salaris loon | зарплата | 工资 | 給料
tax | steuer | impôt taxe | impuesto | tassa imposta | imposto | belasting | налог | 税 | 税金
stock | bestand lagerbestand | stock | existencias | scorta scorte | estoque | voorraad | запас | 库存 | 在庫
warehouse | lager lagerhaus | entrepôt dépôt | almacén | magazzino deposito | armazém depósito | magazijn | склад | 仓库 | 倉庫
shop store | laden geschäft | magasin boutique | tienda | negozio | loja | winkel | магазин | 商店 店 | 店舗
server | server | serveur | servidor | server | servidor | server | сервер | 服务器 | サーバー サーバ
test | test testen testet getestet | test tests testons testé | prueba pruebas | test testiamo | teste testes testamos | test getest testen | тест тесты тестируем | 测试 | テスト
production | produktion produktiv | production | producción | produzione | produção | productie | продакшен продакшн | 生产 | 本番
backup | sicherung datensicherung backup backups | sauvegarde | copia_de_seguridad respaldo | backup | backup cópia_de_segurança | back-up reservekopie | бэкап резервная_копия бэкапы | 备份 | バックアップ
database | datenbank | base_de_données | base_de_datos | database base_dati | banco_de_dados base_de_dados | database | база_данных | 数据库 | データベース
data | daten | données | datos | dati | dados | gegevens | данные | 数据 | データ
branch | branch zweig | branche | rama | branch ramo | branch ramo | branch | ветка | 分支 | ブランチ
repository repo | repository repo | référentiel | repositorio | repository | repositório | repository | репозиторий | 代码库 | リポジトリ
default | standard standardmässig | défaut par_défaut | predeterminado predeterminada por_defecto | predefinito predefinita | padrão por_padrão predefinido | standaard standaardinstelling | по_умолчанию основная основной | 默认 | デフォルト 既定
main | haupt | principal principale | principal | principale | principal | hoofd | главный главная | 主要 主 | メイン
release | veröffentlichung release releases | | lanzamiento | rilascio | lançamento | release uitgave | релиз релизы | 发布 | リリース
deployment deploy deploys rollout | deployment deploy deployments bereitstellung ausrollen | déploiement | despliegue | deploy distribuzione | implantação deploy | deployment uitrol | деплой развёртывание | 部署 | デプロイ
version | version | version | versión | versione | versão | versie | версия | 版本 | バージョン
build | build | build compilation | compilación | build compilazione | build compilação | build | сборка | 构建 | ビルド
code | code quellcode | code | código | codice | código | code | код | 代码 | コード
review | überprüfung prüfung review | relecture revue | revisión | revisione | revisão | beoordeling review | ревью проверка | 评审 审查 | レビュー
approval | freigabe genehmigung zustimmung | approbation validation | aprobación | approvazione | aprovação | goedkeuring | одобрение согласование | 批准 审批 | 承認
request | anfrage antrag | demande | solicitud | richiesta | solicitação | aanvraag verzoek | запрос заявка | 请求 申请 | 申請
error bug | fehler | erreur bogue | error | errore | erro | fout | ошибка | 错误 | エラー
log | protokoll log logs | journal | registro | registro log | log registo | logboek log | журнал лог логи | 日志 | ログ
port | port | port | puerto | porta | porta | poort | порт | 端口 | ポート
password | passwort kennwort | mot_de_passe | contraseña | password | senha palavra-passe | wachtwoord | пароль | 密码 | パスワード
account | konto | compte | cuenta | account conto | conta | account rekening | аккаунт учётная_запись | 账户 账号 帐号 | アカウント
user | benutzer nutzer anwender | utilisateur | usuario | utente | usuário utilizador | gebruiker | пользователь | 用户 | ユーザー
access | zugang zugriff zutritt | accès | acceso | accesso | acesso | toegang | доступ | 访问 | アクセス
admin administrator | administrator admin | administrateur | administrador | amministratore | administrador | beheerder | администратор | 管理员 | 管理者
service | service | service | servicio | servizio | serviço | service | сервис служба | 服务 | サービス
website site | website webseite | site site_web | sitio sitio_web página_web | sito sito_web | site website | website | сайт | 网站 | サイト ウェブサイト
page | seite | page | página | pagina | página | pagina | страница | 页面 | ページ
newsletter | newsletter rundbrief | lettre_d'information infolettre newsletter | boletín | newsletter | boletim newsletter | nieuwsbrief | рассылка | 通讯 | ニュースレター
message | nachricht | message | mensaje | messaggio | mensagem | | сообщение | 消息 | メッセージ
phone | telefon | téléphone | teléfono | telefono | telefone | telefoon | телефон | 电话 | 電話
address | adresse anschrift | adresse | dirección | indirizzo | endereço morada | adres | адрес | 地址 | 住所
file | datei | fichier | archivo fichero | file | arquivo ficheiro | bestand | файл | 文件 | ファイル
folder directory | ordner verzeichnis | dossier répertoire | carpeta directorio | cartella | pasta diretório | map | папка каталог | 文件夹 目录 | フォルダ
document | dokument unterlage | document | documento | documento | documento | document | документ | 文档 | 書類 ドキュメント
documentation docs | dokumentation doku | documentation | documentación | documentazione | documentação | documentatie | документация | 文档资料 | ドキュメンテーション
report | bericht | rapport | informe | relazione rapporto | relatório | rapport verslag | отчёт отчет | 报告 | レポート 報告書
form | formular | formulaire | formulario | modulo | formulário | formulier | форма бланк | 表格 | フォーム 用紙
list | liste | liste | lista | elenco lista | lista | lijst | список | 列表 清单 | リスト
meeting_minutes | sitzungsprotokoll | compte-rendu procès-verbal | acta actas | verbale | ata atas | notulen | | 会议纪要 | 議事録
printer | drucker | imprimante | impresora | stampante | impressora | printer | принтер | 打印机 | プリンター プリンタ
computer | computer rechner | ordinateur | ordenador computadora | computer | computador | computer | компьютер | 电脑 | パソコン
laptop notebook | laptop notebook | portable | portátil | portatile | portátil notebook | laptop | ноутбук | 笔记本 | ノートパソコン
screen | bildschirm | écran | pantalla | schermo | tela ecrã | scherm beeldscherm | экран монитор | 屏幕 | 画面
machine | maschine | machine | máquina | macchina | máquina | machine | станок машина | 机器 | 機械
key | schlüssel | clé clef | llave | chiave | chave | sleutel | ключ | 钥匙 | 鍵
card | karte | carte | tarjeta | carta tessera | cartão | kaart pas | карта карточка | 卡 | カード
room | raum zimmer | salle | sala | sala stanza | sala | kamer zaal ruimte | комната зал | 房间 | 部屋
conference | konferenz | conférence | conferencia congreso | conferenza | conferência | conferentie | конференция | 大会 | カンファレンス
kitchen | küche | cuisine | cocina | cucina | cozinha | keuken | кухня | 厨房 | キッチン 台所
canteen cafeteria | kantine mensa | cantine | cantina comedor | mensa | cantina refeitório | kantine | столовая | 食堂 | 社食
office | büro | bureau | oficina | ufficio | escritório | kantoor | офис | 办公室 | オフィス 事務所
reception | empfang | accueil réception | recepción | reception portineria | recepção | receptie | ресепшен приёмная | 前台 | 受付
building | gebäude | bâtiment immeuble | edificio | edificio | prédio edifício | gebouw | здание | 大楼 | 建物
floor | stock stockwerk etage | étage | planta piso | piano | andar piso | verdieping | этаж | 楼 楼层 | 階
hall | halle | hall | nave | capannone | pavilhão galpão | hal | цех | 大厅 | ホール
basement cellar | keller | sous-sol cave | sótano | seminterrato scantinato | cave porão | kelder | подвал | 地下室 | 地下
attic | dachboden | grenier | desván | soffitta | sótão | zolder | чердак | 阁楼 | 屋根裏
garage | garage | garage | garaje | garage | garagem | garage | гараж | 车库 | 車庫
cupboard cabinet | schrank | armoire placard | armario | armadio | armário | kast | шкаф | 柜子 | 戸棚
drawer | schublade | tiroir | cajón | cassetto | gaveta | lade | ящик | 抽屉 | 引き出し
shelf | regal | étagère | estante estantería | scaffale | prateleira estante | plank | полка | 架子 | 棚
safe | tresor safe | coffre-fort coffre | caja_fuerte | cassaforte | cofre | kluis | сейф | 保险箱 | 金庫
door | tür | porte | puerta | porta_d'ingresso | porta_de_entrada | deur | дверь | 门 | ドア
gate | tor | portail | portón verja | cancello | portão | hek | ворота | 大门 | ゲート
window | fenster | fenêtre | ventana | finestra | janela | raam | окно | 窗户 | 窓
entrance | eingang | entrée | entrada | ingresso | entrada | ingang | вход | 入口 | 玄関
lift elevator | aufzug fahrstuhl lift | ascenseur | ascensor | ascensore | elevador | lift | лифт | 电梯 | エレベーター
parking car_park parking_lot parking_space | parkplatz stellplatz | parking | aparcamiento estacionamiento | parcheggio | estacionamento | parkeerplaats | парковка | 停车场 | 駐車場
car | auto wagen | voiture | coche | auto | carro | auto | автомобиль | 汽车 | 車
van | transporter lieferwagen | camionnette fourgon | furgoneta | furgone | carrinha van | bestelbus busje | фургон | 货车 | バン
heating | heizung | chauffage | calefacción | riscaldamento | aquecimento | verwarming | отопление | 暖气 | 暖房
light | licht beleuchtung | lumière éclairage | luz | luce | luz | licht verlichting | свет освещение | 灯 | 照明
coffee_machine | kaffeemaschine | machine_à_café | cafetera | macchina_del_caffè | máquina_de_café cafeteira | koffiemachine | кофемашина | 咖啡机 | コーヒーメーカー
coffee | kaffee | café | café | caffè | café | koffie | кофе | 咖啡 | コーヒー
lunch_break | mittagspause | pause_déjeuner pause_de_midi | pausa_para_comer pausa_del_almuerzo | pausa_pranzo | pausa_de_almoço | lunchpauze middagpauze | обеденный_перерыв | 午休 | 昼休み
lunch | mittagessen | déjeuner | almuerzo comida | pranzo | almoço | lunch middageten | обед | 午餐 | 昼食
break | pause | pause | pausa descanso | pausa | pausa intervalo | pauze | перерыв | 休息 | 休憩
holiday vacation | urlaub ferien | congé congés vacances | vacaciones | ferie vacanze | férias | vakantie verlof | отпуск | 休假 假期 | 休暇
working_hours | arbeitszeit arbeitszeiten | horaires_de_travail temps_de_travail | jornada horario_laboral | orario_di_lavoro | horário_de_trabalho expediente | werktijd werktijden | рабочее_время | 工作时间 | 勤務時間
opening_hours | öffnungszeiten | horaires_d'ouverture heures_d'ouverture | horario_de_apertura | orario_di_apertura | horário_de_funcionamento horário_de_abertura | openingstijden | часы_работы | 营业时间 | 営業時間
home_office remote_work | homeoffice heimarbeit | télétravail | teletrabajo | telelavoro smart_working | teletrabalho | thuiswerken | удалёнка | 远程办公 | 在宅勤務
employee staff | mitarbeiter mitarbeiterin angestellte beschäftigte personal | employé salarié personnel | empleado personal | dipendente personale | funcionário empregado pessoal | medewerker personeel | сотрудник персонал | 员工 | 社員 従業員
team | team mannschaft | équipe | equipo | squadra team | equipe equipa time | team ploeg | команда | 团队 | チーム
department | abteilung | département | departamento | reparto dipartimento | departamento setor | afdeling | отдел | 部门 | 部署
company | firma unternehmen betrieb firmen | entreprise société | empresa | azienda ditta | empresa | bedrijf | компания фирма | 公司 | 会社
manager boss | chef chefin leiter leiterin vorgesetzte | responsable chef | jefe jefa gerente | responsabile capo | gerente chefe | manager leidinggevende | начальник руководитель менеджер | 经理 | マネージャー 上司
director | direktor direktorin geschäftsführer | directeur directrice | director directora | direttore direttrice | diretor diretora | directeur | директор | 主任 | 部長
owner | eigentümer eigentümerin inhaber inhaberin besitzer | propriétaire | propietario propietaria dueño dueña | proprietario proprietaria titolare | proprietário dono dona | eigenaar | владелец | 所有者 | オーナー
contact | ansprechpartner ansprechpartnerin kontakt | contact interlocuteur interlocutrice | contacto | referente contatto | contato contacto | contactpersoon aanspreekpunt | контакт контактное_лицо | 联系人 | 連絡先 窓口
responsible | verantwortlich zuständig | responsable_de chargé chargée | responsable encargado encargada | incaricato incaricata | responsável encarregado | verantwoordelijk | отвечает ответственный ответственная | 负责 | 担当
caretaker janitor | hausmeister hausmeisterin | concierge gardien | conserje | custode | zelador porteiro | conciërge huismeester | завхоз | 管理人员 | 管理人
company_doctor | betriebsarzt | médecin_du_travail | médico_de_empresa | medico_aziendale | médico_do_trabalho | bedrijfsarts | | |
guest visitor | gast gäste besucher | invité visiteur | invitado visitante | ospite visitatore | convidado visitante | gast bezoeker | гость посетитель | 访客 | 来客 訪問者
member | mitglied mitglieder | membre adhérent | miembro socio socia | socio membro | membro sócio | lid leden | участник член | 成员 | メンバー 会員
colleague | kollege kollegin | collègue | colega compañero | collega | colega | collega | коллега | 同事 | 同僚
intern trainee | praktikant praktikantin | stagiaire | becario pasante | tirocinante stagista | estagiário estagiária | stagiair stagiaire | стажёр стажер практикант | 实习生 | インターン
project | projekt | projet | proyecto | progetto | projeto projecto | project | проект | 项目 | プロジェクト
task | aufgabe | tâche | tarea | compito attività | tarefa | taak | задача | 任务 | タスク
ticket | ticket | ticket | ticket tique | ticket | ticket | ticket | тикет | 工单 | チケット
rule | regel | règle | regla norma | regola | regra | regel | правило | 规则 | ルール
policy | richtlinie | politique directive | política | politica direttiva | política | beleid richtlijn | политика | 政策 | ポリシー 方針
limit | grenze limit obergrenze grenzwert | limite plafond | límite | limite | limite | limiet grens | лимит предел | 限制 上限 | 上限値 制限
number | anzahl nummer | nombre numéro | número | numero | número | aantal nummer | номер число | 数量 | 番号
size | grösse | taille | tamaño | dimensione | tamanho | grootte omvang | размер | 大小 | サイズ
language | sprache | langue | idioma lengua | lingua | idioma língua | taal | язык | 语言 | 言語
color colour | farbe | couleur | color | colore | cor | kleur | цвет | 颜色 | 色
time_zone timezone | zeitzone | fuseau_horaire | zona_horaria | fuso_orario | fuso_horário | tijdzone | часовой_пояс | 时区 | タイムゾーン
currency | währung | devise monnaie | moneda divisa | valuta | moeda | valuta | валюта | 货币 | 通貨
format | format | format | formato | formato | formato | formaat | формат | 格式 | フォーマット
tool | werkzeug | outil | herramienta | strumento attrezzo | ferramenta | gereedschap hulpmiddel | инструмент | 工具 | ツール
hosting | hosting | hébergement | alojamiento | hosting | hospedagem alojamento | hosting | хостинг | 托管 | ホスティング
cluster | cluster | cluster grappe | clúster | cluster | cluster | cluster | кластер | 集群 | クラスタ
queue | warteschlange | file_d'attente | cola | coda | fila | wachtrij | очередь | 队列 | キュー
timeout | zeitlimit timeout zeitüberschreitung | délai_d'expiration timeout | tiempo_de_espera | timeout | tempo_limite timeout | timeout time-out | таймаут | 超时 | タイムアウト
session | session | session | sesión | sessione | sessão | sessie | сессия сеанс | 会话 | セッション
import | import | import importation | importación | importazione | importação | import | импорт | 导入 | インポート
export | export | export exportation | exportación | esportazione | exportação | export | экспорт | 导出 | エクスポート
image | bild | image | imagen | immagine | imagem | afbeelding beeld | изображение | 图片 | 画像
upload | upload hochladen | téléversement | | caricamento | carregamento upload | upload | | 上传 | アップロード
attachment | anhang | pièce_jointe | adjunto | allegato | anexo | bijlage | вложение | 附件 | 添付ファイル
maintenance | wartung | maintenance entretien | mantenimiento | manutenzione | manutenção | onderhoud | обслуживание | 维护 | 保守 メンテナンス
repair | reparatur | réparation | reparación | riparazione | reparo reparação | reparatie | ремонт | 维修 | 修理
cleaning | reinigung | nettoyage ménage | limpieza | pulizia pulizie | limpeza | schoonmaak | уборка | 清洁 | 清掃 掃除
waste garbage trash rubbish | müll abfall | déchets ordures poubelles | basura residuos | rifiuti | lixo | afval vuilnis | мусор | 垃圾 | ゴミ
water | wasser | eau | agua | acqua | água | water | вода | 水 | 水道
power electricity | strom | électricité courant | electricidad | elettricità corrente | energia eletricidade | stroom | электричество | 电 | 電気
temperature | temperatur | température | temperatura | temperatura | temperatura | temperatuur | температура | 温度 | 気温
alarm | alarm alarmanlage | alarme | alarma | allarme | alarme | alarm | сигнализация | 警报 | 警報
camera | kamera | caméra | cámara | telecamera | câmera câmara | camera | камера | 摄像头 | カメラ
network | netz netzwerk | réseau | red | rete | rede | netwerk | сеть | 网络 | ネットワーク
wifi wlan | wlan wifi | wifi | wifi | wifi | wifi | wifi | | 无线网 |
support helpdesk | support kundendienst | assistance support | soporte | assistenza | suporte | ondersteuning helpdesk | поддержка | 支持 | サポート
phone_call | anruf | appel | llamada | chiamata | chamada ligação | oproep | звонок | 通话 | 通話
survey | umfrage | enquête sondage | encuesta | sondaggio | pesquisa inquérito | enquête | опрос | 调查 | アンケート
audit | audit revision | audit | auditoría | audit | auditoria | audit | аудит | 审计 | 監査
inventory stocktaking | inventur | inventaire | inventario | inventario | inventário | inventaris inventarisatie | инвентаризация | 盘点 | 棚卸
job_application | bewerbung | candidature | candidatura | candidatura | candidatura | sollicitatie | | |
interview | vorstellungsgespräch | entretien_d'embauche | entrevista | colloquio | entrevista | sollicitatiegesprek | собеседование | 面试 | 面接
school | schule | école | escuela colegio | scuola | escola | school | школа | 学校 | 学校_建物
class | klasse | classe | clase | classe | aula turma | klas | класс | 班级 | クラス
course | kurs | cours | curso | corso | curso | cursus | курс курсы | 课程 | コース 講座
exam | prüfungstermin klausur examen | examen | examen | esame | exame | examen tentamen | экзамен | 考试 | 試験
library | bibliothek bücherei | bibliothèque | biblioteca | biblioteca | biblioteca | bibliotheek | библиотека | 图书馆 | 図書館
book | buch bücher | livre | libro | libro | livro | boek | книга | 书 | 本
party celebration | feier fest | fête | fiesta | festa | festa | feest | праздник | 派对 | パーティー
trip excursion | ausflug | excursion sortie | excursión | gita | excursão passeio | uitje uitstap | поездка экскурсия | 旅行 | 遠足
flight | flug | vol | vuelo | volo | voo | vlucht | рейс | 航班 | フライト
train | zug | train | tren | treno | comboio trem | trein | поезд | 火车 | 電車
bus | bus | bus | autobús | autobus | ônibus autocarro | bus | автобус | 公交 | バス
hotel | hotel | hôtel | hotel | hotel albergo | hotel | hotel | гостиница отель | 酒店 | ホテル
breakfast | frühstück | petit-déjeuner petit_déjeuner | desayuno | colazione | café_da_manhã pequeno-almoço | ontbijt | завтрак | 早餐 | 朝食
menu | speisekarte | menu carte_des_plats | menú | menu menù | cardápio ementa | menukaart | меню | 菜单 | メニュー
theme | thema | thème | tema | tema | tema | thema | тема | 主题 | テーマ
dog | hund | chien | perro | cane | cachorro cão | hond | собака | 狗 | 犬
garden | garten | jardin | jardín | giardino | jardim | tuin | сад | 花园 | 庭
roof | dach | toit | tejado | tetto | telhado | dak | крыша | 屋顶 | 屋根
wall | wand | mur | pared | muro parete | parede | muur wand | стена | 墙 | 壁
table | tisch | table | mesa | tavolo | mesa | tafel | стол | 桌子 | テーブル
chair | stuhl stühle | chaise | silla | sedia | cadeira | stoel | стул стулья | 椅子 | 椅子_家具
box | kiste karton | caisse carton | caja | scatola cassa | caixa | doos kist | коробка | 箱子 | 箱
bicycle bike | fahrrad | vélo | bicicleta | bicicletta bici | bicicleta | fiets | велосипед | 自行车 | 自転車
shed | schuppen | remise_de_jardin cabanon | cobertizo | capanno | barracão | schuur | сарай | 棚子 | 物置
`
