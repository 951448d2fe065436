import type { Law } from './dispute-laws.ts'

// Laws of statements of two forms. None is taken from a text that is measured elsewhere.

export const FORM_LAWS: readonly Law[] = [
  {
    says: 'of one form each with a word of its own two things are told, of two forms one: a number each',
    apart: [
      ['The red mooring lamp has 40 watts.', 'The blue mooring lamp has 60 watts.'],
      ['The ferry log has 120 pages.', 'The second chapter of the ferry log has 35 pages.'],
      ['The pier hall has six gates.', 'Our crew rents two gates of the pier hall.'],
      ['Crew lunch on the ferry costs 8 euros.', 'Crew bunks on the ferry hold four people.'],
      ['The ferry pump needs a valve on port 6379.', 'The ferry pump uses Lundware 15 since March.'],
    ],
    disputes: [
      ['Harbour passes expire after 15 minutes.', 'A harbour pass is valid for 24 hours.'],
      ['The ferry office runs Lundware 10.', 'All desks at the ferry office are on Lundware 11.'],
      ['Our tide charts assume Lundware 1.26.', 'Lundware 1.30 is the one our tide charts are drawn for.'],
      ['A crew change needs two signatures.', 'One signature is enough for a crew change.'],
      ["L'appli du port est compilée avec Lundware 3.13.", 'Pour l’appli du port on est sur Lundware 3.24.'],
    ],
  },
  {
    says: 'at least and at most hold beside each other, and so does what begins above one bound and above another',
    apart: [
      ['A harbour tour takes at least 6 guests.', 'No more than 18 guests come on a harbour tour.'],
      ['The ferry fleet starts from 2 boats.', 'The ferry fleet goes up to 15 boats.'],
      [
        'Above 8 knots the pier gate turns yellow.',
        'Above 12 knots the ferries at the pier gate stay moored.',
      ],
      ['The harbour tour lasts 90 minutes.', 'For the harbour tour plan an hour and a half.'],
      ['In winter the pier crane lifts 20 boats a week.', 'The pier crane lifts 45 boats a week in summer.'],
    ],
    disputes: [
      ['A harbour tour has at most 6 guests.', 'No more than 18 guests sail on a harbour tour.'],
      ['The pier check fails any rope longer than 60 metres.', 'Ropes over 40 metres fail the pier check.'],
    ],
  },
  {
    says: 'a name, a path or a day each, in statements of two forms',
    apart: [
      ['Greta rows with the harbour crew.', 'The harbour crew counts Milo among its rowers.'],
      ['The harbour regatta was in May.', 'In June we were at the harbour regatta.'],
      ['The harbour regatta is on 4 May.', 'Entries for the harbour regatta close on 20 April.'],
      ['The pier sauna is open from Monday to Friday.', 'On Wednesday you find the pier sauna open.'],
      ['Pump logs are written to /srv/pump.log.', 'The pump logs name the host pump.example.'],
      ['Tie your harbour knot with a bight of 3 turns.', 'In your harbour knot lay the rope 5 turns.'],
    ],
    disputes: [
      ['The harbour offices are cleaned by Lundby.', 'Cleaning the harbour offices is what Nordglanz does.'],
      ['The maps of our crew are in Boxwood.', 'Crew maps: all of them sit in Figtree.'],
      ['Pump dumps get written to /srv/pump.', 'The gate puts its pump dumps in /data/pump.'],
      ['The autumn regatta is on 14 September.', 'We hold the autumn regatta on 21 September.'],
    ],
  },
  {
    says: 'who is told to leave a thing alone does with it no longer what was said',
    apart: [
      ['Push the crew list with pier/push.py.', 'Do not use pier/push.py on Sundays.'],
      ['pier/push.py writes to the crew log.', 'Do not use pier/push.py.'],
      ['Push the crew list with pier/push.py.', 'Never use pier/pull.py.'],
    ],
    disputes: [
      ['To push the crew list, run pier/push.py --all.', 'Do not use pier/push.py.'],
      ['Push the crew list with pier/push.py.', 'Hands off pier/push.py, it skips the gate.'],
      ['Crew lists run through Lundware.', 'Stay away from Lundware.'],
      ['Use knotmake.', 'Use ropebuild, not knotmake.'],
    ],
  },
  {
    says: 'what a contract was about is gone with it, and who gives up after a time has abandoned nothing',
    apart: [
      ['Ferries wait at the pier for 8 minutes.', 'Divers at the pier give up after 30 seconds.'],
      ['The crew account of Greta is new.', 'The Lundby account was closed.'],
    ],
    disputes: [
      [
        'Tide mails are sent through Lundmail.',
        'Our Lundmail contract has lapsed, so tide mails go out by Kestrel.',
      ],
      ['Pumps on the pier give up after 8 seconds.', 'Pumps on the pier give up after 30 seconds.'],
      ['Knots are checked by knotlint.', 'knotlint was thrown out, knots are checked by hand.'],
      ['The slot is chosen in pier/slot.c.', 'pier/slot.c does not exist any longer.'],
    ],
  },
  {
    says: 'where two share one word, each says only that the amount is another; and one begins with who does it',
    apart: [
      ['Tide logs have 30 pages.', 'Tide logs are kept for 90 days.'],
      ['Ferries wait for 5 minutes.', 'A ferry leaves every 40 minutes.'],
      ['Greta holds a talk about the harbour crew.', 'The harbour crew rows with Milo.'],
    ],
    disputes: [
      ['Logs are kept for 30 days.', 'We keep logs for 90 days.'],
      ['Greta holds the keys of the boathouse.', 'The boathouse keys are with Milo.'],
    ],
  },
  {
    says: 'what is denied of a thing at all is denied of whoever it was said; who declines a thing has denied it before',
    apart: [
      ['Avoid open ropes on deck.', 'Do not use open ropes on deck.'],
      ['The crew may dive in hall pools.', 'No diving in harbour pools.'],
      ['Knot tests run before every race.', 'Nothing is raced until the knot tests have run.'],
    ],
    disputes: [
      ['Juniors may use knives in the knot class.', 'No knives in the knot class.'],
      ['Dogs are welcome in the boathouse office.', 'No dogs in the boathouse office, please.'],
      [
        'Greta holds the boathouse keys on the night shift.',
        'On the night shift the boathouse keys are with Milo.',
      ],
    ],
  },
  {
    says: 'what a statement relies on has ended, where a later text says so beside how it is now; not another one of its kind',
    apart: [
      [
        'Tide bulletins are sent with Lundware.',
        'The Lundware course has lapsed; the moorings are repainted.',
      ],
      [
        'Tide bulletins are sent with Lundware.',
        'Tide bulletins are short; the trial account at Lundware was closed.',
      ],
      [
        'Tide bulletins are sent with Lundware.',
        'Norvane might send the bulletins once Lundware is shut down.',
      ],
      [
        'Tide bulletins are sent with Lundware.',
        'The Lundware desk at the kiosk closed; the bulletins stay as they are.',
      ],
      [
        'Greta sends tide bulletins with Lundware.',
        'Lundware was founded in 1990; tide bulletins were letters then.',
      ],
    ],
    disputes: [
      [
        'Tide bulletins are sent with Lundware.',
        'Norvane sends the tide bulletins; the Lundware contract has lapsed.',
      ],
      [
        'Tide bulletins are sent with Lundware.',
        'Lundware tripled its prices, so the bulletins leave through Norvane.',
      ],
      [
        'Moorings are listed in quay/list.csv.',
        'The moorings stand in the portal. quay/list.csv went with change LW-512.',
      ],
      [
        'Boats are painted on the north slipway.',
        'We paint boats in the new hall, and the north slipway has been torn down.',
      ],
      [
        'Der Hafen bucht Lotsen bei Lundware.',
        'Lotsen bestellt der Hafen im Portal; der Zugang zu Lundware ist gekündigt.',
      ],
      [
        'Les barques passent par le treuil du quai.',
        'Un tracteur sort les barques ; le treuil du quai est débranché.',
      ],
    ],
  },
  {
    says: 'what one no longer uses others may; who says so stands before it',
    apart: [['The harbour ledger opens at 6:00.', 'The harbour ledger is not used by the crew any more.']],
    disputes: [
      [
        'Always check the ropes with the blue gauge.',
        'Milo: do not use the blue gauge any more, use callipers.',
      ],
    ],
  },
  {
    says: 'a number is one in whichever way its digits are grouped, and version is no word of its own beside it',
    apart: [
      ['The harbour basin holds 12 000 litres.', 'The harbour basin holds 12000 litres.'],
      ['The tide gauge has version 4.', 'The tide gauge has 4 screws.'],
    ],
    disputes: [
      ['The harbour alarm sounds at 10 000 litres.', 'The harbour alarm sounds at 12 000 litres.'],
      ['The tide gauge of the harbour is at version 7.1.', 'The tide gauge of the harbour is at 8.2.'],
      ['Mooring fee: 28 EUR.', 'Mooring fee: 35 EUR.'],
    ],
  },
  {
    says: 'what people on a plan do the plan allows',
    apart: [['The harbour plan includes 5 trips.', 'Milo on the night pier books 10 trips.']],
    disputes: [
      [
        'The harbour plan includes 5 trips per month.',
        'People on the harbour plan can book 10 trips a month.',
      ],
    ],
  },
  {
    says: 'who went elsewhere has left what another does; who is away for a while has not',
    apart: [
      [
        'Milo plans the night rota of the harbour.',
        'Milo is ill this week, Greta plans the night rota of the harbour.',
      ],
      [
        'Milo plans the night rota of the harbour.',
        'Milo rows until Monday, Greta plans the night rota meanwhile.',
      ],
    ],
    disputes: [
      [
        'Milo plans the night rota of the harbour.',
        'Milo went to the port office, so the night rota is with Greta.',
      ],
      [
        'Milo plans the night rota.',
        'The night rota is planned by Greta, because Milo only rows from April on.',
      ],
    ],
  },
  {
    says: 'a proposal, a draft and what nobody has decided leave what is so as it is',
    apart: [
      [
        'The harbour fee is 20 euros.',
        'The pilots propose: a harbour fee of 12 euros. The board has not voted.',
      ],
      ['The harbour fee is 20 euros.', 'A draft sets the harbour fee to 12 euros.'],
      ['The harbour fee is 20 euros.', 'The harbour fee is 12 euros in the new list; nothing is decided.'],
    ],
    disputes: [
      ['The harbour fee is 20 euros.', 'The harbour fee is 12 euros since the proposal was accepted.'],
      ['The draft of the harbour list has 20 pages.', 'The draft of the harbour list has 12 pages.'],
    ],
  },
  {
    says: 'who owns a thing is its owner, who leads a crew its head; who tests it is neither',
    apart: [
      ['Milo tests the harbour crane.', 'The owner of the harbour crane is Greta.'],
      ['Milo leads the harbour crew.', 'The owner of the harbour crew hut is Greta.'],
    ],
    disputes: [
      ['Milo owns the harbour crane.', 'The owner of the harbour crane is Greta.'],
      ['Head of harbour logistics is Milo.', 'Greta leads the harbour logistics team.'],
    ],
  },
  {
    says: 'what was counted, scored or read off, and two entries of a log, tell of two moments; what is set does not',
    apart: [
      ['Ferry queue: 37 cars at 07:00', 'Ferry queue: 12 cars at 07:00'],
      ['Harbour gate: 214 boats, 9 late', 'Harbour gate: 96 boats, none late'],
      [
        'Counted the gulls: 40 adults, 12 young',
        'Counted the gulls: 31 adults, gate closed by wind, 4 young',
      ],
      ['Knot exam: Milo 18/20', 'Knot exam: Greta 11/20'],
      ['Knot exam: Milo 18/20', 'Knot exam: Milo 16/20'],
      ['Zähler am Kai abgelesen: 48.211 kWh', 'Zähler am Kai abgelesen: 48.377 kWh'],
      ['[ALARM] pump 4 at 96 %, seen by Milo', '[ALARM] pump 4 stopped, seen by Greta'],
      ['Two piers open.', 'Three piers open.'],
      ['Sync lag of the tide clock: 4 s', 'Sync lag of the tide clock: 9 s'],
      [
        'name: Milo\nreason: cough\nweight: 81 kg\nnext: rest',
        'name: Milo\nreason: sore knee\nweight: 79 kg\nnext: X-ray',
      ],
      ['bin: A-04\nsku: 7712\nlisted: 240\ncounted: 236', 'bin: A-04\nsku: 7712\nlisted: 412\ncounted: 412'],
      ['title: Tides\nreader: Milo\nout: 7 May', 'title: Tides\nreader: Greta\nout: 13 May'],
    ],
    disputes: [
      ['Ferry crew call: 15 minutes at 09:30', 'Ferry crew call: 10 minutes at 09:30'],
      ['The harbour gate opens for 37 boats.', 'The harbour gate opens for 12 boats.'],
      ['Lag alarm of the tide clock is set to 4 s.', 'Lag alarm of the tide clock is set to 9 s.'],
      ['name: Milo\nbunk: 4\nship: Alma', 'name: Milo\nbunk: 6\nship: Alma'],
    ],
  },
]
