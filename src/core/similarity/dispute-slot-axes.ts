import { wordSet } from './fact-words.ts'

// Words for how something is, of which one side excludes the other: chosen by hand, as those of `dispute-slot-words.ts`.

export interface StateWord {
  readonly axis: string
  readonly isPlus: boolean
}

const STATE_AXES: readonly (readonly [axis: string, plus: string, minus: string])[] = [
  [
    'switch',
    `enabled active activated live aktiviert aktiv eingeschaltet activé activée actif active activado activada habilitado habilitada encendido activo activa
     ativado ativada ativo ativa ligado ligada attivo attiva attivato attivata acceso accesa abilitato ingeschakeld actief włączony włączona włączone
     aktywny включён включен включена включено 启用 开启 正常 正常使用 正常运行 恢复使用 有効`,
    `disabled inactive deactivated deaktiviert inaktiv ausgeschaltet abgeschaltet désactivé désactivée inactif inactive desactivado desactivada
     deshabilitado deshabilitada apagado inactivo inactiva desativado desativada inativo inativa desligado desligada disattivato disattivata spento spenta
     disabilitato uitgeschakeld wyłączony wyłączona wyłączone nieaktywny выключен выключена выключено отключён отключен отключена отключено 禁用 停用 关闭 無効`,
  ],
  [
    'open',
    `rouvert rouverte reabierto reabierta reaberto reaberta riaperto riaperta heropend wiedereröffnet open ongoing unresolved 正在处理 处理 受付中 開いて unsolved reopened betrieb offen geöffnet ungelöst ouvert ouverte ouverts abierto abierta abiertos aberto aberta abertos aperto aperta geopend
     otwarty otwarta otwarte открыт открыта открыто 处理中 进行中 打开 营业 営業 営業中 対応中 未解決`,
    `gesperrt barred blocked encerrado encerrada encerrados clausurado clausurada clos close concluded wrapped settled abgeschafft closed fixed resolved solved shut 已关 已解决 已修复 已关门 閉まって geschlossen behoben gelöst erledigt fermé fermée fermés résolu résolue corrigé corrigée cerrado cerrada resuelto resuelta
     corregido corregida fechado fechada resolvido resolvida corrigido corrigida chiuso chiusa risolto risolta gesloten opgelost verholpen zamknięty
     zamknięta zamknięte rozwiązany naprawiony закрыт закрыта закрыто решён решена исправлен исправлена исправлено 关闭 已关闭 解决 已解决 修复 閉店 閉鎖 解決 修正済み`,
  ],
  [
    'finish',
    `complete completed finished done ready fertig abgeschlossen beendet vollendet terminé terminée achevé achevée terminado terminada acabado
     completado completada listo lista concluído concluída pronto pronta terminado completato completata finito finita concluso conclusa klaar voltooid afgerond
     ukończony ukończona zakończony zakończona gotowy gotowa skończony готов готова готово завершён завершен завершена завершено 完成 已完成 完了`,
    `running ongoing runs underway läuft cours incomplete unfinished andamento corso cours bearbeitung ходу progress underway pending outstanding unvollständig unfertig ausstehend inachevé inachevée pendiente inacabado pendente inacabado incompleto incompleta
     onvoltooid niezakończony незавершён незавершен 未完成 未完了 進行中`,
  ],
  [
    'begin',
    'begun started angefangen begonnen gestartet commencé commencée empezado comenzado començado começado começou iniziato iniziata rozpoczęty rozpoczęta zaczęty начат начата начато 开始 開始',
    '',
  ],
  [
    'support',
    `supported maintained recommended unterstützt gepflegt pris maintenu maintenue recommandé soportado mantenido recomendado suportado mantido supportato
     mantenuto ondersteund onderhouden wspierany wspierana поддерживается 支持`,
    `unsupported deprecated discontinued obsolete retired abandoned sunset veraltet abgekündigt aufgegeben obsolète abandonné abandonnée obsoleto obsoleta
     descontinuado abandonado abandonada dismesso deprecato verouderd przestarzały przestarzała устарел устарела устарело 弃用 废弃 非推奨 廃止`,
  ],
  [
    'allow',
    `may can allowed allow allows permitted permit permits welcome possible dürfen darf können kann erlaubt gestattet möglich willkommen peut peuvent autorisé autorisée
     autorisés possible permis puede pueden permitido permitida permitidos posible pode podem permitido permitida possível può possono permesso
     permessi consentito consentita possibile mag mogen toegestaan welkom mogelijk wolno można dozwolony dozwolone может могут можно разрешено
     разрешён разрешен возможен возможна возможно fine ok okay 可以 允许 可 能 できます 可能`,
    `cannot can't forbidden prohibited banned disallowed impossible verboten untersagt unmöglich interdit interdite interdits défendu prohibido
     prohibida prohibidos imposible proibido proibida proibidos impossível vietato vietata vietati proibito impossibile verboden onmogelijk zabronione
     zabroniony niemożliwe нельзя запрещено запрещён запрещен запрещена невозможно 禁止 不准 不许 不可 不能 できません 不可能`,
  ],
  [
    'stock',
    'available verfügbar lieferbar disponible disponibles disponível disponíveis disponibile disponibili beschikbaar dostępny dostępna доступен доступна 有货',
    'unavailable sold ausverkauft vergriffen indisponible épuisé agotado agotada indisponível esgotado esgotada esaurito esaurita uitverkocht niedostępny wyprzedany недоступен 缺货 売り切れ',
  ],
  [
    'health',
    'works working functioning repaired repariert réparé réparée reparado reparada riparato riparata gerepareerd naprawiony отремонтирован funktioniert funktionstüchtig fonctionne funciona funziona werkt działa работает исправен',
    'broken panne avería avaria defekt kaputt cassé cassée roto rota averiado averiada quebrado quebrada rotto rotta guasto guasta kapot stuk zepsuty zepsuta сломан сломана сломано неисправен',
  ],
  [
    'release',
    '公開 正式公開 リリース 一般公開 producción everybody everyone available released ga stable launched live production veröffentlicht produktiv produktion lancé lanzado lançado lanciato',
    'offline retired invite invitation ベータ ベータ版 試験中 pruebas recette beta alpha experimental preview prototype testing test testphase pilot trial entwurf draft',
  ],
  [
    'pay',
    'paid settled bezahlt beglichen payée réglée réglé pagada paga saldata betaald opłacona оплачен оплачена 已付款 支付済み',
    'unpaid outstanding overdue unbezahlt offen impayée impayé impagada pendiente pendente insoluta onbetaald nieopłacona неоплачен 未付款 未払い',
  ],
  [
    'deal',
    'signed agreed unterschrieben unterzeichnet signé firmado assinado firmato getekend podpisany подписан 签署',
    'negotiation negotiated unsigned verhandelt verhandlung négociation negociación negociação trattativa',
  ],
  [
    'must',
    `must mandatory required compulsory obligatory erforderlich pflicht verpflichtend müssen muss obligatoire doit doivent obligatorio obligatoria debe deben obrigatório
     obrigatória deve devem obbligatorio obbligatoria moet moeten verplicht musi muszą обязателен обязательна должен должны 必须 必須`,
    'optional voluntary freiwillig optionnel facultatif facultative opcional opcionales facoltativo facoltativa optioneel vrijwillig опционально необязательно 可选 任意',
  ],
  [
    'term',
    'active valid running gültig actif activo ativo attivo geldig действует',
    'expired ended terminated cancelled canceled abgelaufen gekündigt expiré résilié vencido caducado rescindido expirado scaduto disdetto verlopen wygasł истёк истек',
  ],
  [
    'approval',
    'approved accepted genehmigt freigegeben approuvé validé aprobado aprovado approvato goedgekeurd одобрен 批准 承認',
    'draft rejected pending entwurf abgelehnt brouillon refusé borrador rechazado rascunho rejeitado bozza respinto отклонён 草稿 却下',
  ],
  ['live', '上线 已上线 online', '下线 已下线 offline'],
  [
    'fill',
    'vacant unfilled open offen unbesetzt vakant vacante libre vago vaga vacant wolne вакантна 空缺',
    'filled hired occupied besetzt pourvu pourvue ocupado ocupada cubierto cubierta preenchido preenchida occupato bezet zajęte занята',
  ],
  [
    'pause',
    'running resumed läuft fortgesetzt repris reanudado reanudada retomado ripreso hervat wznowiony возобновлён возобновлена 恢复 再開',
    'paused suspended halted stopped pausiert ausgesetzt gestoppt suspendu suspendue suspendido suspendida pausado suspenso suspensa sospeso sospesa gepauzeerd stopgezet wstrzymany zawieszony приостановлен приостановлена 暂停 停止 中止',
  ],
  [
    'cost',
    'free kostenlos kostenfrei gratuit gratuite gratuito gratuita gratis darmowy darmowa бесплатно бесплатный 免费 無料',
    'paid kostenpflichtig payant payante pagado platny płatny платно платный 收费 有料',
  ],
]

export const STATES: ReadonlyMap<string, readonly StateWord[]> = statesByWord()

function statesByWord(): ReadonlyMap<string, readonly StateWord[]> {
  const states = new Map<string, StateWord[]>()
  const add = (words: string, axis: string, isPlus: boolean): void => {
    for (const word of wordSet(words)) {
      const known = states.get(word)
      if (known === undefined) states.set(word, [{ axis, isPlus }])
      else known.push({ axis, isPlus })
    }
  }
  for (const [axis, plus, minus] of STATE_AXES) {
    add(plus, axis, true)
    add(minus, axis, false)
  }
  return states
}
