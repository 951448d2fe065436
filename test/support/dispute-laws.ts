// What never disputes, law by law, each beside pairs that it must not stop. None is taken from a text that is measured elsewhere.

interface Law {
  readonly says: string
  /** In either order both hold. */
  readonly apart: readonly (readonly [string, string])[]
  /** Earlier, later. */
  readonly disputes: readonly (readonly [string, string])[]
}

export const LAWS: readonly Law[] = [
  {
    says: 'a span and a list of days are one value, and a day of a list may be told alone',
    apart: [
      ['The sauna is heated on Tuesday.', 'The sauna is heated on Tuesday and Saturday.'],
      ['The sauna is open from 8 to 12.', 'The sauna is open 8-12.'],
      ['Repairs take 3 to 5 days.', 'Repairs take 4 days.'],
      ['The early shift is from 6 to 14.', 'The late shift is from 14 to 22.'],
      ['The sauna is open from Monday to Friday.', 'The sauna is open on Wednesday.'],
      ['Greta rows on Monday and Tuesday.', 'Milo rows on Thursday and Friday.'],
      ['Rovers won 3-1.', 'Rovers won 4-2.'],
    ],
    disputes: [
      ['The sauna is open from Monday to Thursday.', 'The sauna is open from Tuesday to Saturday.'],
      ['The sauna is open Mon-Fri.', 'The sauna is open Tue-Sun.'],
      ['The sauna class is on Tuesday and Thursday.', 'Sauna class: Monday and Friday'],
      ['The sauna is open 8-12.', 'The sauna is open 9-14.'],
      ['The sauna is open from 8:00 to 12:00.', 'The sauna is open 9:00-14:00.'],
      ['Repairs take 3 to 5 days.', 'Repairs take 2 to 3 days.'],
      ['Le sauna est ouvert du lundi au jeudi.', 'Le sauna est ouvert du mardi au samedi.'],
      ['Die Sauna ist von Montag bis Freitag offen.', 'Die Sauna ist von Dienstag bis Sonntag offen.'],
    ],
  },
  {
    says: 'what took the place of a thing, gave way to it or was taken apart',
    apart: [
      ['The hall clock runs on a battery.', 'Milo replaced the battery of the hall clock.'],
      ['Greta is in Kiel.', 'Greta went to Bonn.'],
      ['We live in Kiel.', 'We went from Kiel to Bonn by bike.'],
    ],
    disputes: [
      [
        'The style check is inkcheck: make ink.',
        'penlint took the place of inkcheck; the style check is make pen.',
      ],
      ['The style check is inkcheck: make ink.', 'penlint replaced inkcheck; the style check is make pen.'],
      [
        'Set up the studio tools with tar box.',
        'tar box gave way to crate; set the studio tools up with crate.',
      ],
      [
        'The toll calculation is in harbour/toll.py.',
        'harbour/toll.py was taken apart: fees are in harbour/fees.py.',
      ],
      ['Sail orders are collected in Paper Tray.', 'Sail orders moved over to Inkwell.'],
      ['Harbour reports are in the folder Tides.', 'Harbour reports went to Inkwell.'],
    ],
  },
  {
    says: 'how much and how often is told in many ways',
    apart: [
      ['The choir pays 40 euros a month.', 'The choir pays 480 euros a year.'],
      ['One of the boats is red.', 'Two boats are red.'],
      ['Pay the harbour fee with a card.', 'Stamp the letters with a die.'],
    ],
    disputes: [
      ['The harbour gate closes at midnight.', 'The harbour gate closes at 10 pm.'],
      ['The pass is valid for a day.', 'The pass is valid for an hour.'],
      ['Two pilots are needed for a tow.', 'One pilot is needed for a tow.'],
      ['The boat is painted twice a year.', 'The boat is painted once a year.'],
      ['The tow takes about 12 minutes.', 'The tow takes 4 minutes.'],
      ['Loads are at most 2 MB.', 'Loads may be up to 5 MB.'],
      ['Checks run in parallel.', 'Checks run one after the other.'],
      ['The harbour class is in person.', 'The harbour class is online.'],
      ['The phone of the pier is 555-0101.', 'The phone of the pier is 555-0199.'],
      ['Install with tarbox.', 'Install with crate.'],
      ['The pier logs are written in Ada.', 'The pier logs were rewritten in Rust.'],
      ['The spare oar is under the bench.', 'The spare oar hangs behind the door now.'],
    ],
  },
  {
    says: 'what leads from the earlier value to another one says that it became otherwise',
    apart: [
      ['The pump delay is 5 seconds.', 'The fan delay was raised from 7 to 10 seconds.'],
      ['The pump delay is 5 seconds.', 'The pump delay went from 2 to 5 seconds.'],
    ],
    disputes: [
      ['The pump delay is 5 seconds.', 'The pump delay was raised from 5 to 10 seconds.'],
      ['The pump delay is 5 seconds.', 'The pump delay went from 5 to 10 seconds.'],
      ['The pump delay is 5 seconds.', 'Pump delay: 5 -> 10 seconds'],
      ['Le délai est de 5 secondes.', 'Le délai passe de 5 à 10 secondes.'],
      ['O limite é 5 MB.', 'O limite passou de 5 para 10 MB.'],
    ],
  },
  {
    says: 'another case is named by a part of its own',
    apart: [
      ['Sans badge, la visite coûte 9 euros.', 'Avec badge, la visite coûte 4 euros.'],
      ['Sin cita, la espera es de 40 minutos.', 'Con cita, la espera es de 10 minutos.'],
      ['Antes de pintar, cubre el suelo.', 'Después de pintar, descubre el suelo.'],
      ['Before the fair, stands cost 200 EUR.', 'After the fair, stands cost 90 EUR.'],
      ['While copying, the disk is locked.', 'Once copied, the disk is unlocked.'],
    ],
    disputes: [
      ['After the fair, stands cost 90 EUR.', 'After the fair, stands cost 120 EUR.'],
      ['The reminders are sent before the call.', 'The reminders are sent after the call.'],
      ['Die Prüfung ist am 4. Mai.', 'Die Prüfung wurde auf den 11. Mai verschoben.'],
    ],
  },
  {
    says: 'items of one list are beside each other',
    apart: [
      ['1. Turn off the pizza oven.', '5. Turn on the pizza oven.'],
      ['2) The mouse trap is enabled.', '7) The mouse trap is disabled.'],
      ['The rack in zone a holds 4 lamps.', 'The rack in zone b holds 6 lamps.'],
    ],
    disputes: [['2) The mouse trap is enabled.', 'The mouse trap is disabled.']],
  },
  {
    says: 'what is said of all may be otherwise for some',
    apart: [
      ['All bookings need two guides.', 'School bookings need three guides.'],
      ['Bookings need two guides.', 'School bookings need three guides.'],
      ['The scanner looks at every page.', 'The scanner does not look at printed pages.'],
      ['The tour costs 10 EUR.', 'The tour costs 6 EUR for pupils.'],
      ['Nobody but Rosa may open the old safe.', 'Rosa may open the old safe.'],
    ],
    disputes: [
      ['All bookings need two guides.', 'All bookings need three guides.'],
      ['All guests are registered.', 'All guests are not registered.'],
    ],
  },
  {
    says: 'a word in front of its noun tells which of several',
    apart: [
      ['The lamp dusk is on in the beta ring.', 'The lamp dusk is off in the stable ring.'],
      ['The red lamp means the press is off.', 'The green lamp means the press is on.'],
      ['Public gardens are limited to 40 guests.', 'Private gardens are limited to 40 guests.'],
      ['Feature flag big_map is off for external users.', 'The feature flag old_map is on.'],
      ['The online course has an exam.', 'The offline course has an exam.'],
      ['Die alte Presse braucht 4 Minuten.', 'Die neue Presse braucht 2 Minuten.'],
    ],
    disputes: [
      ['Enable the mixer on weekends.', 'Disable the mixer on weekends.'],
      ['Clara is responsible for the archive.', 'Simon is responsible for the archive.'],
    ],
  },
  {
    says: 'the two ends of a span, and opposite steps, are beside each other',
    apart: [
      ['A table needs four guests to be kept.', 'A table holds ten guests.'],
      ['The kiln opens at 7.', 'The kiln closes at 19.'],
      ['Enrolment begins on May 4.', 'Enrolment ends on June 2.'],
      ['Parking is from 15:00.', 'Parking is until 21:00.'],
      ['The script adds 3 rows.', 'The script removes 2 rows.'],
      ['Turn the fans on in the morning.', 'Turn the fans off in the evening.'],
      ['The quota is below 100.', 'The quota is 80.'],
      ['No more than 6 people may row.', '6 people may row.'],
    ],
    disputes: [
      ['The kiln closes at 6 pm.', 'The kiln now closes at 8 pm.'],
      ['Enrolment begins on May 4.', 'Enrolment begins on May 18.'],
    ],
  },
  {
    says: 'an addition takes nothing back, whichever was said first',
    apart: [
      ['The relay also accepts frames of 64 bytes.', 'The relay accepts frames of 32 bytes.'],
      ['El horno también admite 4 bandejas.', 'El horno admite 2 bandejas.'],
    ],
    disputes: [['The relay accepts frames of 64 bytes.', 'The relay accepts frames of 32 bytes.']],
  },
  {
    says: 'what happened or was measured once is another thing each time',
    apart: [
      ['The probe returned 12.', 'The probe returned 40.'],
      ['Read 40 rows from the sheet.', 'Read 90 rows from the sheet.'],
      ['Stacked 14 crates.', 'Stacked 3 crates.'],
      ['The audit found 3 gaps.', 'The audit found no gaps.'],
      ['Window opened for table nine.', 'Window closed for table nine.'],
      ['La pompe a redémarré à 3h.', 'La pompe a redémarré à 5h.'],
      ['La copia tardó 20 minutos.', 'La copia tardó 12 minutos.'],
      ['Il server ha ripetuto 4 prove.', 'Il server ha ripetuto 9 prove.'],
      ['Tank at 80 %.', 'Tank at 35 %.'],
      ['Sheet rendered in 300 ms.', 'Sheet rendered in 900 ms.'],
      ['Donation of 50 EUR from Ms. Fox.', 'Donation of 80 EUR from Ms. Fox.'],
      ['Screws in stock: 400 (March)', 'Screws in stock: 150 (April)'],
      ['WARN queue miss rate 12 %', 'WARN queue miss rate 31 %'],
      ['Guests today: 40', 'Guests today: 38'],
      ['There are 3 seats left.', 'There are 2 seats left.'],
      ['The difference in price is 12 EUR.', 'The difference in price is 31 EUR.'],
      ['The score is 81 % after this run.', 'The score is 84 % after this run.'],
    ],
    disputes: [
      ['The courier retries a failed drop three times.', 'The courier retries a failed drop five times.'],
      ['The tank is kept at 80 %.', 'The tank is kept at 60 %.'],
      ['The fee is 5 EUR.', 'As of today the fee is 7 EUR.'],
      ['Keep the buzzer enabled for guests.', 'The buzzer has been disabled for guests.'],
    ],
  },
  {
    says: 'what is common to both is no news',
    apart: [['Reports are deleted after 30 days.', 'Shared reports are deleted after 90 days.']],
    disputes: [['Reports are deleted after 30 days.', 'Reports are deleted after 90 days.']],
  },
  {
    says: 'an answer, a proposal, and what somebody has at hand are of a moment',
    apart: [
      ['I have the claim number here.', 'I do not have the claim number with me.'],
      ["Let's pay with the voucher.", 'The refund goes to the card, not the voucher.'],
      ["I'm working on the maps now.", "I'm working on the charts now."],
      ["I'm checking the pump.", "I'm no longer checking the pump."],
      ['Yes, use the blue form.', 'Yes, use the red form.'],
      ['Thanks, the parcel arrived.', 'The parcel did not arrive.'],
      ['My booking number is 4411.', 'My booking number is 5522.'],
    ],
    disputes: [['I want my letters in French.', 'I want my letters in Dutch.']],
  },
  {
    says: 'what somebody wants to do, and cannot tell, states nothing',
    apart: [
      ["I'd like to move my parcel to the kiosk.", 'I need to cancel my parcel.'],
      ['Quiero cambiar mi cita al lunes.', 'Quiero cancelar mi cita del lunes.'],
      ['Ich möchte meinen Termin verschieben.', 'Ich möchte meinen Termin absagen.'],
      ['My card number is 4411.', "I'm sorry, but I don't have my card number."],
      ['Moving a piano takes a second team.', 'We can only help with boxes, not moving them.'],
    ],
    disputes: [
      ['I want my receipts in German.', 'I want my receipts in Dutch.'],
      ['The locker code is 4411.', 'Sorry, the locker code is 5522.'],
    ],
  },
  {
    says: 'what has changed is so now, and what has ended is no longer there',
    apart: [
      ['The choir moved from Kiel to Bonn.', 'The choir is in Bonn now.'],
      ['The old press was switched off.', 'The old press no longer runs.'],
      ['Mrs Lund has retired.', 'Mrs Lund no longer works here.'],
      ['Greta took over the rota from Bo.', 'Greta plans the rota now.'],
      ['Das Archiv ist nach Bonn umgezogen.', 'Das Archiv ist jetzt in Bonn.'],
      ['Le musée a déménagé à Lyon.', 'Le musée est maintenant à Lyon.'],
      ['The side door is locked now.', 'The side door is locked again.'],
    ],
    disputes: [
      ['The choir moved from Kiel to Bonn.', 'The choir is in Ulm now.'],
      ['The old press was switched on.', 'The old press no longer runs.'],
    ],
  },
  {
    says: 'who does one thing is not who has another, and whom to ask need not be who does it',
    apart: [
      ['Ines does the rota.', 'The rota sits with the keys in the drawer.'],
      ['Ines likes the rota.', 'The rota sits with Bo.'],
      ['Ask Ines about the heating.', 'Ask Bo about the windows.'],
      ['For keys, ask Ines.', 'For towels, ask Bo.'],
      ['Ines runs the lights for all plays.', 'Ask Bo about the lights.'],
      ['Ines writes the minutes of the board.', 'The minutes of the board are read by Bo.'],
      ['The class is assisted by Mr Lund.', 'Ms Adair has taken over the library.'],
      ['The night watch is led by Greta.', 'Greta has taken over the night watch from Tomas.'],
    ],
    disputes: [
      ['Ines does the rota.', 'The rota of the kiosk sits with Bo; Ines does the rota no longer.'],
      ['The night watch is led by Greta.', 'Tomas has taken over the night watch.'],
    ],
  },
  {
    says: 'what is lifted, allowed again or no longer without, is what was said',
    apart: [
      ['Dogs are forbidden in the park.', 'The ban on barbecues in the park is lifted.'],
      ['Staff must sign the visitor list.', 'The restriction on visitor parking was removed by staff.'],
      ['You must wear a helmet on the site.', 'The rule about parking on the site is over the page.'],
      ['Bo must not dive.', 'Bo may swim again.'],
      ['Visitors may park without a permit.', 'Staff must show a permit to park.'],
      ['We sell cakes with nuts.', 'We sell cakes without nuts.'],
      ['The soup is served with bread.', 'The soup can be ordered without bread.'],
      ['The old form is described in the manual.', 'The old form is abolished.'],
      ['Refunds by phone take two days.', 'Refunds by post are abolished.'],
    ],
    disputes: [
      ['Dogs are forbidden in the park.', 'The ban on dogs in the park is lifted.'],
      ['Visitors may park without a permit.', 'Visitors must show a permit to park.'],
      ['Order the soup with bread.', 'Order the soup without bread.'],
    ],
  },
  {
    says: 'from one value to the next leads no range, and no step of something else',
    apart: [
      ['The shop is open from 9 to 17.', 'The shop opens at 9.'],
      ['Shoes come in sizes 36 -> 44.', 'The smallest size of the shoes is 36.'],
      ['CPU load 40 -> 80 during the test.', 'CPU load limit is 40.'],
      ['The backup runs every 10 minutes.', 'The test of the backup runs every 2 hours.'],
      ['Backup interval: 10 minutes', 'Report interval: 2 hours'],
      ['On 3 May the pottery course begins.', 'The pottery course for children begins on 10 May.'],
      ['The report must be ready by 3 May.', 'The invoice for the report must be ready by 10 May.'],
      ['The draft is due on 3 May.', 'The final text has to be done by 10 May.'],
    ],
    disputes: [
      ['The shop fee is 9 EUR.', 'The shop fee was raised from 9 EUR to 17 EUR.'],
      ['Backup interval: 10 minutes', 'The backup runs every 20 minutes.'],
      ['The report must be ready by 3 May.', 'The report is due on 10 May.'],
    ],
  },
  {
    says: 'what is run for one purpose is not run for another, and what prints may be printed',
    apart: [
      ['Print the plan with plotter -p.', 'To send the plan, run mailer -p.'],
      ['The plan is printed with plotter -p.', 'The plan is checked with lint -p.'],
      ['Worker logs: /var/log/worker.log', 'Tail the worker logs with stern worker.'],
      ['bin/fmt-ui starts the formatter of the interface.', 'Interface tests are started with bin/check-ui.'],
    ],
    disputes: [['The plan is printed with plotter -p.', 'To print the plan, run mailer -p.']],
  },
  {
    says: 'where a thing is, it may be beside another, and somebody says so who does not know',
    apart: [
      ['The gym is on the second floor.', 'The gym is next to the lift.'],
      ['Meetings are held in English.', 'Meetings are held in the big hall.'],
      ['The bus goes to the station.', 'The bus goes to the airport.'],
      ['Lost gloves end up in the box.', 'Lost phones end up in the safe.'],
      ['The tape shelf is in the cellar.', 'There is an idea to move the tape shelf out of the cellar.'],
      ['The customer says the parcel is broken.', 'The parcel works.'],
      ['In hall 2, the lamps are blue.', 'The lamps are green in hall 3.'],
      ['Bo is on leave in May.', 'Ada is back at work.'],
      ['The printer in room 3 is down.', 'The printer in room 4 is back up.'],
    ],
    disputes: [
      ['The gym is on the second floor.', 'The gym is on the third floor.'],
      ['The lift opens at 6.', 'The landlord says the lift opens at 8.'],
      ['In hall 2, the lamps are blue.', 'The lamps are green in hall 2.'],
    ],
  },
  {
    says: 'neither a guest nor an author names a record',
    apart: [
      ['film: goat\nauthor: Ito\nlength: short', 'film: crow\nauthor: Ito\nlength: long'],
      ['guest: Ito\nroom type: double\nnights: 2', 'guest: Ito\nroom type: single\nnights: 4'],
      ['passenger: Ana Ruiz\ncabin: first', 'passenger: Ana Ruiz\ncabin: second'],
    ],
    disputes: [['booking: B7\nguest: Ito\nnights: 2', 'booking: B7\nguest: Ito\nnights: 4']],
  },
]

/** What was missed once: each says in its own way that the earlier is no longer so. */
export const NOTICED: readonly (readonly [earlier: string, later: string])[] = [
  [
    'The seed fair of the mill is on Friday, 3 October.',
    'The seed fair of the mill is on Tuesday, 7 October.',
  ],
  ['The open day is on the 20th.', 'The open day got delayed to the 27th.'],
  ['Las actas las revisa Clara.', 'Quien revisa las actas es Bruno.'],
  ['The ferry is open on Sunday.', 'The ferry is closed on Sunday since last week.'],
  ['The limit of a parcel is 10 kg.', 'The limit of a parcel is 20 kg since Monday.'],
  ['The museum archive is read-only.', 'The museum archive is writable now.'],
  ['The morning ferry is cancelled.', 'The morning ferry is confirmed again.'],
  ['Der Aufzug ist gesperrt.', 'Der Aufzug ist wieder offen.'],
  ['Use chalk for the labels.', 'Do not use chalk for the labels, use ink.'],
  ['Print the badges with `label make:all`.', 'Print the badges with `badger` instead of `label make:all`.'],
  ['La responsable del museo es Carmen.', 'La responsable del museo es ahora Diana.'],
  ['Kibana runs on host log-1.', 'Kibana was migrated to host log-4.'],
  ['Die Karten liegen im Ordner karten/alt.', 'Die Karten liegen jetzt im Ordner archiv/karten.'],
  ['Stamps are made by the stamp press service.', 'The stamp press service was removed.'],
  ['Les lettres passent par le module ancien-courrier.', 'Le module ancien-courrier a été supprimé.'],
  ['Letters are printed with inkwell.', 'inkwell was replaced by Quill.'],
  ['The gallery prefers phone calls.', 'The gallery prefers letters over phone calls now.'],
  ['Sophie dirige le projet Delta.', 'Karim dirige le projet Delta depuis lundi.'],
  ['Ask Louise about leases.', 'Ask Jamal about leases, Louise retired.'],
  ['Use camelCase for columns.', 'Use snake_case for columns.'],
  ['The kettle is next to the stove.', 'The kettle was moved to the pantry.'],
  ['The tower clock runs on Rust 1.70.', 'Rust 1.80 is what the tower clock runs on.'],
  ['The choir uses the 2nd edition of the hymn book.', 'The choir uses the 4th edition of the hymn book.'],
  ['The annex has no toilets.', 'The annex has offered toilets since the refit.'],
  ['The tide sensor is down.', 'The tide sensor is back up.'],
  ['We have lamp oil for three weeks.', 'The lamp oil has run out.'],
  ['The shed on Mill Lane is closed for repairs.', 'Mill Lane has reopened.'],
  ['Entre deux marées, le bac attend 20 minutes.', 'Le bac attend 35 minutes entre deux marées.'],
  ['O Rui trata das chaves do celeiro.', 'As chaves do celeiro passaram para a Inês.'],
  ['Los vecinos necesitan el sello del puerto.', 'Se ha eliminado el sello del puerto para los vecinos.'],
  ['The reading corner seats 12.', 'There are 18 seats in the reading corner.'],
]
