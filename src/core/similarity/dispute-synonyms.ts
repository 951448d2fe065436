import { wordsOf } from './fact-words.ts'

// Words for one thing, by which two statements may name what they speak of. Chosen by hand from how notes about work are
// written; only words that nearly always stand for each other.

const GROUPS: readonly string[] = [
  'customer client kunde mandant',
  'employee staff worker colleague mitarbeiter angestellte empleado trabajador funcionário',
  'repo repository codebase',
  'database db datenbank',
  'environment env',
  'configuration config settings setting',
  'production prod',
  'documentation docs doc manual handbook',
  'application app',
  'authentication auth login sign-in',
  'invoice bill rechnung',
  'salary pay wage earn salaries',
  'vacation holiday leave urlaub',
  'picture image photo',
  'phone telephone',
  'deploy deployment rollout redeploy',
  'delete remove erase purge',
  'answer reply respond response',
  'bug defect',
  'price cost fee charge tariff',
  'limit cap ceiling maximum threshold',
  'flat apartment',
  'car vehicle',
  'truck lorry',
  'bike bicycle',
  'shop store',
  'parcel package',
  'delivery shipment shipping',
  'folder directory',
  'pet animal',
  'garbage trash waste',
  'doctor physician',
  'kid child children',
  'meeting call session',
  'conference congress',
  'laptop notebook',
  'holder owner',
  'approval sign-off approve consent',
  'renewal renew',
  'temperature celsius fahrenheit degree',
  'log logs logging',
  'test testing tests',
  'build building compile',
  'backup snapshot',
  'warehouse depot storehouse lager',
  'lunch meal',
  'flight plane',
  'guest visitor',
  'teacher instructor tutor',
  'pupil student',
  'contract agreement',
  'supplier vendor',
  'job position vacancy post',
  'tablet ipad',
  'internet wifi wlan',
]

const GROUP_OF: ReadonlyMap<string, number> = new Map(
  GROUPS.flatMap((group, at) => wordsOf(group).map((word): [string, number] => [word, at])),
)

/** The group of a word in small letters or of its stem; undefined for most. */
export function synonymsOf(text: string, key: string): number | undefined {
  return GROUP_OF.get(text) ?? GROUP_OF.get(key)
}
