// Words that carry the fact of a sentence in English, German, French, Spanish, Portuguese and Russian (negations also
// Dutch, Italian, Polish, Ukrainian). All are in small letters and composed, as `foldCase` gives them.

/** One side of an opposition: `pass` and `fail` are the two sides of the outcome. */
export interface Side {
  readonly axis: string
  readonly isPlus: boolean
}

/** The axis whose two sides are how a piece of work ended. */
export const OUTCOME_AXES: ReadonlySet<string> = new Set(['outcome', 'block', 'fix', 'done', 'accept'])

/** Counts one by one, so that two of them cancel out: "not without". */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't")
}

/** Of a language in which several negations of one sentence are one: "ne … jamais", "никто не". */
export function isConcordNegation(word: string): boolean {
  return CONCORD_NEGATIONS.has(word)
}

/** The side that a word takes, null when it takes none. */
export function sideOf(word: string): Side | null {
  return SIDES.get(word) ?? null
}

/** A word without opposite that still changes what a text says: `only`, `unless`, `deprecated`, `friday`. */
export function isFactWord(word: string): boolean {
  return SINGLE.has(word)
}

/** The digits of a spelled number from two to twelve, of tens and of powers; null for other words. */
export function spelledNumber(word: string): string | null {
  return SPELLED.get(word) ?? null
}

const list = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== '')

const NEGATIONS: ReadonlySet<string> = new Set(
  list(`
    no not never none neither nor cannot nothing nobody nowhere without
    cant dont doesnt didnt wont isnt arent wasnt werent shouldnt couldnt wouldnt mustnt hasnt havent hadnt
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder
    niet geen nooit zonder nie nigdy bez`),
)

const CONCORD_NEGATIONS: ReadonlySet<string> = new Set(
  list(`
    ne pas jamais aucun aucune rien sans
    nunca jamás nada ningún ninguno ninguna nadie tampoco sin
    não nao nenhum nenhuma ninguém nem sem
    non mai senza nessuno
    не нет ни никогда без нельзя ничего никто никакой никакая ні немає`),
)

const AXES: readonly (readonly [axis: string, plus: string, minus: string])[] = [
  [
    'outcome',
    `pass passes passed passing succeed succeeds succeeded success successful successfully works worked
     erfolgreich bestanden gelungen funktioniert réussi réussie réussit succès fonctionne
     éxito exitoso exitosa funciona funcionó sucesso passou funcionou
     успешно успех прошёл прошел прошла прошли пройден пройдены работает`,
    `fail fails failed failing failure failures unsuccessful unsuccessfully broke breaks broken crash crashes crashed
     fehlgeschlagen gescheitert scheitert erfolglos kaputt échoué échouée échoue échec
     falló falla fallaron fallido fallida fracasó falhou falha falharam fracasso
     провалился провалилась провалились провалено упал упала упали сломан сломана сломано неуспешно`,
  ],
  [
    'block',
    'unblocked',
    `block blocks blocked blocking blockiert bloqué bloquée bloqueado bloqueada
     заблокирован заблокирована заблокировано`,
  ],
  [
    'fix',
    `fix fixes fixed resolved resolves solved behoben gelöst corrigé corrigée résolu résolue
     resuelto resuelta corregido corregida resolvido resolvida corrigido corrigida
     исправлен исправлена исправлено решён решено решена`,
    'unfixed unresolved unsolved regressed regression ungelöst irrésolu',
  ],
  [
    'done',
    `done complete completed finished fertig abgeschlossen terminé terminée terminado completado concluído
     готово завершено завершён завершен`,
    'incomplete unfinished unvollständig inachevé incompleto незавершено',
  ],
  [
    'accept',
    `accept accepts accepted approve approves approved genehmigt akzeptiert accepté approuvé
     aceptado aprobado aceito aprovado принято одобрено`,
    `reject rejects rejected refuse refused denied declined abgelehnt rejeté refusé
     rechazado rejeitado recusado отклонено отклонён`,
  ],
  [
    'enable',
    `enable enables enabled aktiviert activé activée habilitado habilitada activado activada ativado
     включён включен включена включено`,
    `disable disables disabled deaktiviert désactivé désactivée deshabilitado desactivado desativado
     выключен выключена выключено отключён отключен отключена отключено`,
  ],
  [
    'allow',
    'allow allows allowed permit permitted erlaubt autorisé permitido разрешено',
    `forbid forbids forbidden disallow disallowed prohibited banned verboten interdit prohibido proibido
     запрещено запрещён`,
  ],
  ['truth', 'true wahr vrai verdadero verdadeiro истина', 'false faux ложь'],
  ['valid', 'valid gültig valide válido', 'invalid ungültig invalide inválido'],
  [
    'correct',
    'correct korrekt correcto correto верно',
    'incorrect wrong falsch incorrecto incorreto неверно',
  ],
  ['safe', 'safe', 'unsafe'],
  ['support', 'supported unterstützt', 'unsupported'],
  ['available', 'available verfügbar disponible disponível доступен', 'unavailable indisponible недоступен'],
  ['active', 'active aktiv actif activo ativo активен', 'inactive inaktiv inactif inactivo неактивен'],
  ['stable', 'stable stabil', 'unstable flaky instabil'],
  ['possible', 'possible möglich posible possível возможно', 'impossible unmöglich imposible невозможно'],
  ['public', 'public öffentlich público публичный', 'private privat privé privado приватный'],
  [
    'required',
    'required mandatory erforderlich obligatoire requerido obligatorio obrigatório обязательно',
    'optional optionnel opcional необязательно',
  ],
  ['sync', 'sync synchronous synchron synchrone', 'async asynchronous asynchron asynchrone'],
  ['order', 'before avant antes до', 'after après después depois после'],
  ['rank', 'first erste premier primero primeiro первый', 'last letzte dernier último последний'],
  ['change', 'increase increases increased', 'decrease decreases decreased reduce reduced'],
  ['amount', 'more mehr más mais больше', 'less fewer weniger moins menos меньше'],
  ['bound', 'least minimal min minimum mindestens', 'most maximal max maximum höchstens'],
  ['height', 'above over oben', 'below under unten'],
  ['keep', 'add adds added', 'remove removes removed delete deletes deleted drop dropped'],
  ['run', 'start starts started gestartet', 'stop stops stopped gestoppt'],
  ['open', 'open opens opened', 'close closes closed'],
  ['line', 'online', 'offline'],
  ['tone', 'light hell claro clair', 'dark dunkel oscuro escuro sombre'],
  ['hand', 'left links', 'right rechts'],
  ['way', 'up', 'down'],
  ['include', 'include includes included', 'exclude excludes excluded'],
]

const SIDES: ReadonlyMap<string, Side> = new Map(
  AXES.flatMap(([axis, plus, minus]) => [
    ...list(plus).map((word): [string, Side] => [word, { axis, isPlus: true }]),
    ...list(minus).map((word): [string, Side] => [word, { axis, isPlus: false }]),
  ]),
)

const SINGLE: ReadonlySet<string> = new Set(
  list(`
    only except unless instead off always sometimes must should
    error errors timeout interrupted pending skipped cancelled canceled reverted deprecated obsolete outdated stale
    nur außer immer muss fehler abgebrochen veraltet
    seulement sauf toujours doit erreur erreurs interrompu obsolète
    solo sólo excepto siempre debe error errores interrumpido obsoleto
    só exceto sempre deve erro erros interrompido
    только кроме всегда должен должна ошибка ошибки прервано устарел устарело
    monday tuesday wednesday thursday friday saturday sunday
    january february april june july august september october november december`),
)

const SPELLED: ReadonlyMap<string, string> = new Map(
  (
    [
      ['2', 'two twice zwei deux dos dois duas два две'],
      ['3', 'three drei trois tres três три'],
      ['4', 'four vier quatre cuatro quatro четыре'],
      ['5', 'five fünf cinq cinco пять'],
      ['6', 'six sechs seis шесть'],
      ['7', 'seven sieben sept siete sete семь'],
      ['8', 'eight acht huit ocho oito восемь'],
      ['9', 'nine neun neuf nueve nove девять'],
      ['10', 'ten zehn dix diez dez десять'],
      ['11', 'eleven elf onze одиннадцать'],
      ['12', 'twelve zwölf douze doce doze двенадцать'],
      ['20', 'twenty zwanzig vingt veinte vinte двадцать'],
      ['30', 'thirty dreißig treinta trinta тридцать'],
      ['100', 'hundred hundert cent cien сто'],
      ['1000', 'thousand tausend mille mil тысяча'],
      ['1000000', 'million millions millionen millón milhão миллион'],
    ] as const
  ).flatMap(([digits, words]) => list(words).map((word): [string, string] => [word, digits])),
)
