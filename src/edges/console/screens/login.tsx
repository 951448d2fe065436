import { useRef, useState } from 'preact/hooks'
import { logIn } from '../state/session.ts'
import { Refusal } from '../wire/exchange.ts'

/** A key is sent once, and kept nowhere in the page. */
export function Login() {
  const field = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ''
    if (field.current !== null) field.current.value = ''
    setSaid('')
    await logIn(key).catch((error: unknown) => {
      const isRefused = error instanceof Refusal && error.status === 401
      setSaid(
        isRefused
          ? 'This key opens nothing here. After five wrong ones a minute no other is looked at.'
          : error instanceof Error
            ? error.message
            : String(error),
      )
    })
  }
  return (
    <main class="login">
      <form class="panel" onSubmit={(event) => void send(event)}>
        <h1>memgov console</h1>
        <p class="soft">
          Log in with an operator key. <code>memgov keys create --operator</code> makes one.
        </p>
        <label>
          <span>Operator key</span>
          <input
            ref={field}
            type="password"
            name="key"
            required
            autocomplete="off"
            spellcheck={false}
            autofocus
          />
        </label>
        <button type="submit" class="primary">
          Log in
        </button>
        {said !== '' && (
          <p class="refused" role="alert">
            {said}
          </p>
        )}
      </form>
    </main>
  )
}
