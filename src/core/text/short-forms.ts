// Short forms that engineers and offices write for a long word, which no stemmer brings together with it: `db` is a database. Made
// by hand from what is usual in code, commits and notes. Left out is what stands in every path or address: lib, org, src, tmp, var.

/** A short form, then what it stands for, in small letters without accents. */
const SHORT_FORMS = `
  admin administrator|app application|arg argument|args arguments|attr attribute|auth authentication authorization
  authentifizierung|cfg configuration|cmd command|conf configuration|config configuration konfiguration|creds credentials|db
  database datenbank|dbs databases datenbanken|dep dependency|deps dependencies|dir directory|dirs directories|docs
  documentation dokumentation|doku dokumentation|env environment|k8s kubernetes|libs libraries|mgmt management|msg
  message|msgs messages|param parameter|params parameters|perf performance|pkg package|pkgs packages|prod production
  produktion|ref reference|refs references|repo repository|repos repositories|spec specification|specs specifications|stats
  statistics|sync synchronization|temp temporary|vars variables|acct account|addr address|amt amount|appt appointment|apt
  apartment|dept department|fridge refrigerator|lab laboratory|meds medication|mgr manager|ops operations|phone
  telephone|photo photograph|photos photographs|tel telephone telefon|vet veterinarian`

const FORMS: ReadonlyMap<string, readonly string[]> = formsOf(SHORT_FORMS)
const NONE: readonly string[] = []

/** What else a word is written as, long for short and short for long. In small letters without accents. */
export function otherFormsOf(word: string): readonly string[] {
  return FORMS.get(word) ?? NONE
}

function formsOf(lines: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const put = (word: string, other: string): void => {
    found.set(word, [...(found.get(word) ?? []), other])
  }
  for (const line of lines.trim().split('|')) {
    const [short = '', ...long] = line.split(/\s+/)
    for (const word of long) {
      put(short, word)
      put(word, short)
    }
  }
  return found
}
