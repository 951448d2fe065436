import { isLedOn, isOfOtherBound } from './dispute-amounts.ts'
import { isDoneOrNot, isSolved, isTurned, isValueChanged } from './dispute-changed.ts'
import { differsInDate } from './dispute-dates.ts'
import { ENDED_BESIDE } from './dispute-ended.ts'
import {
  differsInField,
  differsInSort,
  differsInStyle,
  isNamedOtherwise,
  isWantedInstead,
  isWantedOtherwise,
} from './dispute-fields.ts'
import { isSwitchedOver } from './dispute-flags.ts'
import { isTakenBack, isWithout } from './dispute-gone.ts'
import { GUARDS } from './dispute-guards.ts'
import { differsInHolder, isLeftToOther } from './dispute-holders.ts'
import { ownOf } from './dispute-hole.ts'
import {
  differsInNumber,
  differsInPolarity,
  differsInValue,
  isRule,
  isSwitchedAlike,
  isVersioned,
  rivalRow,
} from './dispute-kinds.ts'
import { LIKELY } from './dispute-likely.ts'
import { OF_OTHER_FORM } from './dispute-likeness.ts'
import { isContractOver } from './dispute-lost.ts'
import { differsInMeans } from './dispute-means.ts'
import { isOverturned, isWidened } from './dispute-news.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { isAllowedAgain, isLifted, isNeededNow, isPriced, isWithAndWithout } from './dispute-permits.ts'
import { differsInPlace, isDayNoted, isElsewhereNow, isPlaceNoted } from './dispute-places.ts'
import {
  isDateReworded,
  isDenialReworded,
  isDeniedWhole,
  isDoerReworded,
  isNumberReworded,
} from './dispute-reworded.ts'
import { ASSERTED, HELD, type KindRow } from './dispute-row.ts'
import { differsInChoice, differsInHour, differsInManner, differsInStep } from './dispute-slots.ts'
import { takesOther } from './dispute-sorts.ts'
import {
  differsInCodename,
  differsInFavourite,
  differsInOften,
  isBack,
  isIntervalReworded,
  isOfOneIdNow,
  isRenamed,
} from './dispute-turns.ts'
import { differsInWay, isBrought, isCorrectedTo } from './dispute-ways.ts'
import { isNowOfSome } from './dispute-which.ts'

const SAME_THING = [...HELD, 'sameTimes', 'sameNames', 'sameQualifiers', 'sameRange'] as const

/** Of what has a number. */
const SAME_AMOUNTS = ['sameEnd', 'sameMembers', 'otherAmount'] as const

/** The first that holds names the dispute. Records are compared by their fields: `recordDispute`. */
export const KINDS: readonly KindRow[] = [
  {
    id: 'no_longer',
    says: 'The later says that the earlier is no longer so, or that what it relies on is gone, replaced or left.',
    guards: [...ASSERTED, 'noEvent', 'noRepetition', 'sameSetting'],
    holds: (pair) => isTakenBack(pair) || isWithout(pair) || isNowOfSome(pair) || isCorrectedTo(pair),
    examples: [
      ['The report job runs on the old cluster.', 'The report job no longer runs on the old cluster.'],
      ['Format the code with rustfmt.', 'rustfmt was replaced by dprint; format with dprint.'],
      ['Der Dienst braucht einen Proxy.', 'Der Dienst braucht keinen Proxy mehr.'],
      ['Le site utilise Varnish.', "Le site n'utilise plus Varnish."],
      ['Builds run on Jenkins.', 'Nobody uses Jenkins any more.'],
      ['Служба использует прокси.', 'Служба больше не использует прокси.'],
      ['构建使用Gradle。', '构建不再使用Gradle。'],
      ['Wrap trays in foil.', 'Wrap trays in paper, not foil.'],
      [
        'Everyone in the lab may order chemicals.',
        'Only the safety officer in the lab may order chemicals now.',
      ],
      ['Milo plans the night patrol.', 'Greta has taken over the night patrol from Milo.'],
      ['The fair happens in June.', 'The fair in June is called off.'],
      ['Paper comes by the box.', 'Paper comes by the roll and not by the box.'],
      ['Joyce keeps the books of the choir.', 'The books of the choir were handed to Emil.'],
      ['Requests about parking go to Milo.', 'Milo handed parking over to Greta; ask her.'],
      ['Spare fuses are noted in the grey ledger.', 'The grey ledger for spare fuses is abolished.'],
      ['The moulds are in shed/old.', 'Moved the moulds out of shed/old, look in shed/new.'],
    ],
    measured: { right: 495, found: 501 },
  },
  {
    id: 'policy',
    says: 'One orders or allows what the other forbids or leaves open.',
    guards: [...SAME_THING, 'noEvents', 'noMembers', 'sameMembers'],
    holds: (pair) =>
      (isRule(pair) && (differsInPolarity(pair) || rivalRow(pair) === 'state')) ||
      isAllowedAgain(pair) ||
      isNeededNow(pair),
    examples: [
      ['Contractors may read customer data.', 'Contractors may not read customer data.'],
      ['Gäste dürfen Dateien hochladen.', 'Gäste dürfen keine Dateien hochladen.'],
      ['Fahrräder dürfen in den Hof der Klinik.', 'Im Hof der Klinik sind Fahrräder verboten.'],
      ['Milo must not dive after the fall.', 'Milo may dive again.'],
      ['Guests may use the steam bath without booking.', 'Guests must book the steam bath.'],
    ],
    measured: { right: 56, found: 57 },
  },
  {
    id: 'negation',
    says: 'One denies what the other says.',
    guards: [...SAME_THING, 'noEvents', 'noMembers', 'noRepetition', 'sameMembers'],
    holds: (pair) => differsInPolarity(pair) || isDenialReworded(pair) || isDeniedWhole(pair),
    examples: [
      ['The importer skips empty rows.', 'The importer does not skip empty rows.'],
      ['La boutique livre en Suisse.', 'La boutique ne livre pas en Suisse.'],
      ['支付服务记录日志。', '支付服务不记录日志。'],
      ['The almond cake contains butter.', 'There is no butter in the almond cake.'],
    ],
    measured: { right: 161, found: 164 },
  },
  {
    id: 'version',
    says: 'Another version of the same part of the same thing.',
    guards: [...SAME_THING, ...SAME_AMOUNTS, 'noEvent', 'noMembers'],
    holds: (pair) =>
      (isVersioned(pair) && (differsInNumber(pair) || isBrought(pair))) || differsInCodename(pair),
    examples: [
      ['The billing service runs on Ruby 2.7.', 'The billing service was upgraded to Ruby 3.2.'],
      ['El panel usa Vue 2.', 'El panel usa Vue 3.'],
      ['The press firmware is at 4.2.', 'deps: press firmware 4.2 -> 4.5'],
      ['Images are based on Ubuntu jammy.', 'Images are based on Ubuntu noble.'],
    ],
    measured: { right: 146, found: 148 },
  },
  {
    id: 'number',
    says: 'Another number of the same unit.',
    guards: [...SAME_THING, ...SAME_AMOUNTS, 'noEvent', 'noReading', 'noMembers'],
    holds: (pair) =>
      !takesOther(pair) &&
      (differsInNumber(pair) ||
        isLedOn(pair, isNumber) ||
        isNumberReworded(pair) ||
        isBrought(pair) ||
        isIntervalReworded(pair)),
    examples: [
      ['The export is limited to 1000 rows.', 'The export is now limited to 5000 rows.'],
      ['Die Sitzung läuft nach 15 Minuten ab.', 'Die Sitzung läuft nach 40 Minuten ab.'],
      ['O limite de anexos é 3 MB.', 'O limite de anexos é 8 MB.'],
      ['The greenhouse is heated to 18 degrees.', 'The greenhouse is heated to 15 degrees to save gas.'],
      ['The pump retries a lost packet four times.', 'A lost packet is retried nine times by the pump.'],
      ['The sprinkler runs every 40 minutes.', 'Sprinkler interval: 25 minutes'],
      ['The barn holds 30 bales.', 'Since the rebuild the barn holds 45 bales.'],
    ],
    measured: { right: 480, found: 490 },
  },
  {
    id: 'deadline',
    says: 'Another date of something planned, or of what has one date.',
    guards: [...HELD, 'noEvent', 'sameNames', 'noMembers', 'sameEnd'],
    holds: (pair) =>
      differsInDate(pair) ||
      isLedOn(pair, isDate) ||
      differsInHour(pair) ||
      isDateReworded(pair) ||
      isDayNoted(pair),
    examples: [
      ['The beta is planned for June 3.', 'The beta is planned for June 24.'],
      ['La réunion est prévue pour mardi.', 'La réunion est prévue pour jeudi.'],
      ['Waste glass is collected on the first Monday.', 'Waste glass is collected on the third Friday.'],
      ['The harbour fair begins on 4 May.', 'This year the fair in the harbour begins on 11 May.'],
      ['Greta wants a visit in the afternoon.', 'Greta wants a visit before 9 am.'],
      ['The harbour fair begins on 4 May.', 'On 11 May the harbour fair begins.'],
      ['The harbour choir sings on Mondays.', 'Harbour choir: Thursdays'],
      ['The floor plan must be ready by 4 May.', 'Deadline for the floor plan: 11 May'],
    ],
    measured: { right: 226, found: 227 },
  },
  {
    id: 'state',
    says: 'One word for how something is, or for how often, that excludes the other.',
    guards: [...HELD, 'noEvents', 'sameTimes', 'noList'],
    holds: (pair) =>
      isRow(pair, 'state') ||
      isRow(pair, 'frequency') ||
      differsInChoice(pair) ||
      isBack(pair) ||
      (isPriced(pair) && GUARDS.sameRange.holds(pair)) ||
      differsInOften(pair) ||
      isOfOneIdNow(pair) ||
      isNamedOtherwise(pair),
    examples: [
      ['The beta channel is open.', 'The beta channel is closed.'],
      ['The dryer is out of order.', 'The dryer works again.'],
      ['Parcel HB-2207 has been packed.', 'Parcel HB-2207 has been shipped.'],
      ['The lift in the lobby is out of order.', 'The lift works again since Monday.'],
      ['The export is in progress.', 'The export is finished.'],
      ['Der Export läuft täglich.', 'Der Export läuft wöchentlich.'],
      ['The cover of the yearbook is green.', 'The cover of the yearbook is grey.'],
      ['Readings are stored in local time.', 'Readings are stored in UTC.'],
      ['La grúa del muelle está averiada.', 'La grúa del muelle funciona.'],
      ['Nora is on parental leave.', 'Nora is back at work.'],
      ['Ticket 512 is waiting for a part.', 'Ticket 512: closed'],
      ['The ferry 7 is on time.', 'The ferry 7 is delayed by two hours.'],
    ],
    measured: { right: 217, found: 218 },
  },
  {
    id: 'preference',
    says: 'Another taste, language or channel of the same person or for the same thing.',
    guards: [...HELD, 'noEvent', 'noPossibility', 'sameTimes', 'noList'],
    holds: (pair) =>
      (isRow(pair, 'taste') && isSwitchedAlike(pair)) ||
      isRow(pair, 'channel') ||
      isRow(pair, 'language') ||
      isWantedInstead(pair) ||
      differsInFavourite(pair) ||
      differsInSort(pair) ||
      isWantedOtherwise(pair),
    examples: [
      ['Nora prefers tabs.', 'Nora prefers spaces.'],
      ['Nora prefers juice for breakfast.', 'Nora prefers milk for breakfast.'],
      ['Mme Roy préfère le papier mat.', 'Mme Roy préfère le papier brillant.'],
      ['La clienta prefiere respuestas en inglés.', 'La clienta prefiere respuestas en francés.'],
      ['Nora codes with tabs.', 'Nora has come round to spaces.'],
      ['Nora trinkt am liebsten Kakao.', 'Nora trinkt am liebsten Saft.'],
      ['Nora wants receipts by letter post.', 'Nora wants receipts by text message.'],
    ],
    measured: { right: 68, found: 69 },
  },
  {
    id: 'command',
    says: 'Another tool or command for the same work.',
    guards: [...HELD, 'noEvent', 'noPossibility', 'sameTimes', 'sameRange', 'noList'],
    holds: (pair) =>
      isRow(pair, 'tool') ||
      differsInMeans(pair) ||
      differsInWay(pair) ||
      differsInStep(pair) ||
      ownOf(pair) === 'means',
    examples: [
      ['Seed the database with bin/seed.', 'Seed the database with make fixtures.'],
      ['Compilar com make.', 'Compilar com bazel.'],
      ['To refresh the list, run pricectl pull.', 'To refresh the list, run listd sync.'],
      ['Send the newsletter as HTML.', 'Send the newsletter as plain text.'],
      ['We publish with Hugo.', 'We publish with Eleventy.'],
      ['Repairs are billed per hour.', 'Repairs are billed per job.'],
      ['The club pays by transfer.', 'The club pays by direct debit.'],
      ['To book the sauna call Milan.', 'To book the sauna write to Rosa.'],
      ['The index is rebuilt with bin/reindex.', 'To rebuild the index, run listd reindex.'],
      ['bin/demo starts the demo shop.', 'The demo shop is started with make demo-up.'],
      ['Follow the pump logs with stern pump.', 'Pump logs: kubectl logs -f pump'],
    ],
    measured: { right: 147, found: 150 },
  },
  {
    id: 'owner',
    says: 'Another person or firm in a role that one holds.',
    guards: [...HELD, 'noEvent', 'noList', 'sameQualifiers'],
    holds: (pair) => differsInHolder(pair) || isDoerReworded(pair) || isLeftToOther(pair),
    examples: [
      ['Rosa teaches the evening class.', 'Milan teaches the evening class.'],
      ['Rosa leads the data team.', 'Milan leads the data team.'],
      ['The courier for returns is DHL.', 'The courier for returns is UPS.'],
      ['Milan waters the plants.', 'The plants are watered by Rosa.'],
      ['Keeper of the east meadow is Milan.', 'Keeper of the east meadow is Rosa.'],
      ['Rosa looks after the aviary.', 'The aviary is looked after by Milan.'],
      ['Le planimetrie le disegna Rosa.', 'Adesso le planimetrie le disegna Milan.'],
      ['Rosa does the evening rota.', 'The evening rota sits with Milan.'],
      ['Evening rota -> ask Rosa', 'Ask Milan about the evening rota.'],
      ['For keys to the boathouse, ask Rosa.', 'Keys to the boathouse: Milan'],
      ['Die Technik macht Rosa.', 'Für die Technik ist Milan zuständig.'],
    ],
    measured: { right: 137, found: 138 },
  },
  {
    id: 'place',
    says: 'Another place of what is in one.',
    guards: [...HELD, 'noEvent', 'noPossibility', 'sameRange', 'noList'],
    holds: (pair) =>
      differsInPlace(pair) || ownOf(pair) === 'place' || isElsewhereNow(pair) || isPlaceNoted(pair),
    examples: [
      ['The fonts are in assets/fonts.', 'The fonts are in static/type.'],
      ['The wheelchair is kept behind the lift.', 'The wheelchair was moved to the entrance hall.'],
      ['Das Archiv befindet sich in Köln.', 'Das Archiv befindet sich in Bonn.'],
      ['The site runs on Linode.', 'The site runs on Hetzner.'],
      ['Os remos estão na cave.', 'Os remos estão no anexo.'],
      ['The sewing box is kept in the pantry.', 'You find the sewing box in the cellar.'],
      ['Rehearsals happen in the blue barn.', 'Rehearsals are held in the chapel.'],
      ['Old maps stand on the second floor.', 'The old map shelves are on the ground floor.'],
      ['The harbour paddles are in the boathouse.', 'Harbour paddles: behind the kiosk'],
      ['Lost gloves end up in the tin box.', 'Lost gloves end up in the basket.'],
    ],
    measured: { right: 224, found: 226 },
  },
  {
    id: 'state',
    says: 'Another value of what has one: branch, theme, database.',
    guards: [...HELD, 'noEvent', 'noList'],
    holds: (pair) => differsInValue(pair) || differsInStyle(pair) || differsInField(pair),
    examples: [
      ['The vault password is tulip.', 'The vault password was changed to fern.'],
      ["Le chat du bureau s'appelle Filou.", "Le chat du bureau s'appelle désormais Minou."],
      ['The release branch is stable.', 'The release branch is trunk.'],
      ['Set captions in serif font.', 'Set captions in mono font.'],
      ['Favourite game of the twins: ludo', 'Favourite game of the twins: draughts'],
      ['Our postal address is 4 Mill Lane.', 'Our postal address is 19 Canal Street.'],
      ['Choir practice: room 12', 'Choir practice: chapel'],
    ],
    measured: { right: 41, found: 42 },
  },
  {
    id: 'no_longer',
    says: 'The later tells in other words that what the earlier speaks of is otherwise now.',
    guards: [...ASSERTED, 'noAddition', 'noRepetition', 'noLog', 'sameSetting'],
    holds: (pair) => isOverturned(pair) || isRenamed(pair) || isSwitchedOver(pair) || isContractOver(pair),
    examples: [
      ['Anyone on the team can merge to trunk.', 'Merges to trunk are done by the release team now.'],
      [
        'The night export is sent by the old relay.',
        'The old relay was switched off, the night export goes out by Kestrel.',
      ],
      ['Orders above 30 ship free.', 'Free shipping starts at 45, not 30.'],
      ['The winter fair is on 6 December.', 'The winter fair is cancelled.'],
      ['The flag fast_lane is off.', 'fast_lane was turned on for all users.'],
      ['Our bookkeeper is Mrs Lund.', 'Mrs Lund has retired, the books are kept by Mr Adair.'],
      ['The barge is called Heron.', 'Heron is now known as Egret.'],
      ['The pottery course is taught by Mr Lund.', 'Ms Adair has taken over the pottery course.'],
    ],
    measured: { right: 158, found: 173 },
  },
  {
    id: 'preference',
    says: 'The same thing, wanted in another way.',
    guards: [...HELD, 'noEvent', 'noPossibility', 'sameTimes', 'noMembers'],
    holds: (pair) => differsInManner(pair) || isWithAndWithout(pair),
    examples: [
      ['Rosa wants her parcels at the back door.', 'Rosa wants her parcels at the kiosk.'],
      ['Milan likes his eggs boiled.', 'Milan likes his eggs with chives.'],
      ['Milan likes his soup with cream.', 'Milan likes his soup without cream.'],
    ],
    measured: { right: 25, found: 25 },
  },
  {
    id: 'policy',
    says: 'What one alone had or might do, others have or may do, too.',
    guards: [...ASSERTED, 'noEvent'],
    holds: (pair) => isWidened(pair) || isLifted(pair),
    examples: [
      ['Only admins may restart the queue.', 'On-call engineers may restart the queue too.'],
      ['Nobody may feed the swans in the pond.', 'The ban on feeding the swans is lifted.'],
    ],
    measured: { right: 3, found: 3 },
  },
  {
    id: 'no_longer',
    says: 'The later says that something is otherwise now, and of one sort both have one value.',
    guards: [...ASSERTED, 'noAddition', 'noRepetition', 'noLog', 'sameRange', 'sameEnd'],
    holds: isValueChanged,
    examples: [
      [
        'The webcam streams from pier4.example behind the mill.',
        'The webcam moved to pier9.example on 4 May.',
      ],
      ['We tune the organ on Mondays before mass.', 'The organ is tuned on Fridays from now on.'],
    ],
    measured: { right: 10, found: 10 },
  },
  {
    id: 'state',
    says: 'The earlier tells how something is or what ails it, the later what was done to it.',
    guards: ['noWish', 'named', 'noAddition', 'noRepetition', 'noLog'],
    holds: (pair) => isTurned(pair) || isSolved(pair) || isDoneOrNot(pair),
    examples: [
      ['Complaint 31 is open.', 'Complaint 31 was closed yesterday.'],
      ['The snow cannon is off.', 'The snow cannon was turned on for everyone.'],
      ['The scanner hangs when a page is torn.', 'The hang of the scanner on a torn page is fixed.'],
    ],
    measured: { right: 5, found: 5 },
  },
  {
    id: 'number',
    says: 'The case of which both say the same has another bound.',
    guards: ['noWish', 'named', 'noMembers'],
    holds: isOfOtherBound,
    examples: [
      ['Order oil when fewer than 20 cans are left.', 'Order oil when fewer than 45 cans are left.'],
    ],
    measured: { right: 4, found: 4 },
  },
  ...OF_OTHER_FORM,
  ENDED_BESIDE,
  LIKELY,
]

function isRow(pair: Pair, row: string): boolean {
  return rivalRow(pair) === row
}
