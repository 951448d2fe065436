import { type FunctionComponent, render } from 'preact'
import './style/tokens.css'
import './style/page.css'
import './style/parts.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { HostileText } from './parts/hostile-text.tsx'
import { EffectScreen } from './screens/effect.tsx'
import { GuidesScreen } from './screens/guides.tsx'
import { ChooseFirst, LiveScreen } from './screens/live.tsx'
import { Login } from './screens/login.tsx'
import { MemoriesScreen, soughtText } from './screens/memories.tsx'
import { MomentScreen } from './screens/moment.tsx'
import { Overview } from './screens/overview.tsx'
import { RadiusScreen } from './screens/radius.tsx'
import { ReviewScreen } from './screens/review.tsx'
import { RulesScreen } from './screens/rules.tsx'
import { ScopesScreen } from './screens/scopes.tsx'
import { lastDone } from './state/deeds.ts'
import { goTo, linkTo, place, SCREENS, type ScreenName } from './state/place.ts'
import { isHelpOpen, isKnown, KEYS, listenToKeys, logOut, openSession, session } from './state/session.ts'
import { isReached, needsLogin, returns, watchService } from './wire/exchange.ts'

const VIEWS: Readonly<Record<ScreenName, FunctionComponent>> = {
  overview: Overview,
  guides: GuidesScreen,
  memories: MemoriesScreen,
  review: ReviewScreen,
  radius: RadiusScreen,
  rules: RulesScreen,
  effect: EffectScreen,
  live: LiveScreen,
  moment: MomentScreen,
  scopes: ScopesScreen,
}

export function Shell() {
  if (needsLogin.value) return <Login />
  if (!isKnown.value) {
    return (
      <main class="login">
        <p class="empty" aria-busy="true">
          {isReached.value ? 'Reading…' : 'The service does not answer. It is asked again.'}
        </p>
      </main>
    )
  }
  const { screen, scope, tenant } = place.value
  const View = scope === null && screen !== 'scopes' ? Unchosen : VIEWS[screen]
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Side />
      <main id="main">
        <Banner />
        <Find />
        <View key={`${screen} ${tenant} ${scope}`} />
      </main>
      <LastDone />
      {isHelpOpen.value && <Help />}
    </div>
  )
}

/** A fragment of the address is a place here, so that the link may not set one. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}

function Unchosen() {
  return place.value.screen === 'live' ? <ChooseFirst /> : <ScopesScreen />
}

/** On a narrow page the screens are a strip: the one of now is brought into sight. */
function useCurrentInSight(screen: string) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (current != null && nav.current !== null)
      nav.current.scrollLeft = current.offsetLeft - nav.current.clientWidth / 3
  }, [screen])
  return nav
}

function Side() {
  const { screen, scope, tenant } = place.value
  const { isKeyed, reviewer, mayWrite } = session.value
  const nav = useCurrentInSight(screen)
  return (
    <div class="side-bar">
      <div class="brand">
        <strong>memgov</strong>
        <a
          class="scope-link"
          href={linkTo({ screen: 'scopes' })}
          title={`${tenant} / ${scope ?? 'no scope'}`}
        >
          <span class="soft">{tenant}</span>
          <span>{scope === null ? 'choose a scope' : <HostileText text={scope} />}</span>
        </a>
      </div>
      <nav ref={nav} aria-label="Screens">
        <ul>
          {SCREENS.map(({ name, title, question }, at) => (
            <li key={name}>
              <a
                href={linkTo({ screen: name })}
                aria-current={screen === name ? 'page' : undefined}
                title={question}
              >
                {title}
                <kbd aria-hidden="true">{at + 1}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <p class="soft">
          {reviewer}
          {!mayWrite && ', read only'}
        </p>
        {!isKeyed && (
          <p class="soft">No keys: the four-eyes rule is off, one person may write and approve.</p>
        )}
        <div class="side-tools">
          <ThemeButton />
          <button type="button" class="quiet" onClick={() => (isHelpOpen.value = true)}>
            Keys
          </button>
          {isKeyed && (
            <button type="button" class="quiet" onClick={() => void logOut()}>
              Log out
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

const THEMES = { '': 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const
type Theme = keyof typeof THEMES
const NEXT: Readonly<Record<Theme, Theme>> = { '': 'light', light: 'dark', dark: '' }

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>('')
  const turn = () => {
    const next = NEXT[theme]
    setTheme(next)
    document.documentElement.style.colorScheme = next
    document.dispatchEvent(new Event('themechange'))
  }
  return (
    <button type="button" class="quiet" onClick={turn}>
      {THEMES[theme]}
    </button>
  )
}

function Banner() {
  if (isReached.value) return null
  return (
    <p class="banner" role="alert">
      The service does not answer. What you see is from before; it is asked again and shown anew when it is
      back.
    </p>
  )
}

/** One field for ids and words: an id opens its page, words are looked for in memory. */
function Find() {
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const sought = field.current?.value.trim() ?? ''
    if (sought === '') return
    if (field.current !== null) field.current.value = ''
    field.current?.blur()
    if (sought.startsWith('guide_trace:')) goTo({ screen: 'guides', id: sought })
    else if (/^(claim:|handoff:)?[0-9a-f]{8}-[0-9a-f-]{27}$/.test(sought))
      goTo({ screen: 'memories', id: sought })
    else {
      soughtText.value = sought
      goTo({ screen: 'memories' })
    }
  }
  if (place.value.scope === null || place.value.screen === 'scopes') return null
  return (
    <form class="find" role="search" aria-label="Find" onSubmit={submit}>
      <label>
        <span class="sr-only">Find a memory or a guide by words or id</span>
        <input
          ref={field}
          id="find"
          type="text"
          placeholder="Find by words or id"
          autocomplete="off"
          spellcheck={false}
          maxLength={1000}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </form>
  )
}

function LastDone() {
  const done = lastDone.value
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(''), [done])
  if (done === null) return <div class="toast-place" role="status" />
  const { undo } = done
  const takeBack = () => {
    undo?.().catch((error: unknown) => setSaid(error instanceof Error ? error.message : String(error)))
  }
  return (
    <div class="toast-place" role="status">
      <div class="toast">
        <span>{said === '' ? done.said : said}</span>
        {undo !== null && (
          <button type="button" onClick={takeBack}>
            Undo
          </button>
        )}
        <button type="button" class="quiet" onClick={() => (lastDone.value = null)}>
          Close
        </button>
      </div>
    </div>
  )
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label="Keys and questions"
      onClose={() => (isHelpOpen.value = false)}
    >
      <div class="panel-head">
        <h2>Keys</h2>
        <button type="button" class="quiet" onClick={() => (isHelpOpen.value = false)}>
          Close
        </button>
      </div>
      <table class="plain">
        <tbody>
          {KEYS.map(({ keys, does }) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Nine questions</h2>
      <table class="plain">
        <tbody>
          {SCREENS.map(({ name, title, question }, at) => (
            <tr key={name}>
              <th scope="row">
                <kbd>{at + 1}</kbd>
              </th>
              <td>
                <a href={linkTo({ screen: name })} onClick={() => (isHelpOpen.value = false)}>
                  {title}
                </a>
                : {question}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </dialog>
  )
}

const AGAIN_MS = 1000

async function start(): Promise<void> {
  try {
    await openSession()
  } catch {
    setTimeout(() => void start(), AGAIN_MS)
  }
}

const root = document.getElementById('console')
if (root !== null) render(<Shell />, root)
listenToKeys()
watchService()
// A service that started anew has forgotten who was logged in.
returns.subscribe(() => void start())
isReached.subscribe((reached) => document.documentElement.classList.toggle('is-away', !reached))
