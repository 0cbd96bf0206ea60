import { useEffect, useState, useSyncExternalStore, type FormEvent } from 'react'
import {
  openQuestions,
  watchQuestions,
  type AlertQuestion,
  type Asked,
  type ChoiceQuestion,
  type ConfirmQuestion,
  type PromptField,
  type PromptQuestion,
} from '../ask/ask.ts'
import { vibrate } from '../ask/vibrate.ts'
import css from './AskHost.module.css'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { Modal } from './Modal.tsx'
import { OptionSheet } from './OptionSheet.tsx'
import { Stepper } from './Stepper.tsx'

/** Shows the open dialogs of `ask`. The app renders it once. */
export function AskHost() {
  return useSyncExternalStore(watchQuestions, openQuestions, openQuestions).map((asked) => (
    <Shown key={asked.id} {...asked} />
  ))
}

type Answer = Asked['answer']

function Shown({ question, answer }: Asked) {
  if (question.kind === 'sheet') return <OptionSheet {...question} onClosed={() => answer(null)} />
  if (question.kind === 'alert') return <Alert question={question} answer={answer} />
  if (question.kind === 'confirm') return <Confirm question={question} answer={answer} />
  if (question.kind === 'panel') return question.show(() => answer(null))
  if (question.kind === 'choice') return <Choices question={question} answer={answer} />
  return <Prompt question={question} answer={answer} />
}

function Alert({ question: { message, note }, answer }: { question: AlertQuestion; answer: Answer }) {
  // What came of a press is felt as well: whoever pressed may look elsewhere by then.
  useEffect(() => vibrate(), [])
  return (
    <Modal label={message} look="box" role="alertdialog" onClose={() => answer(null)}>
      <div className={css['body']}>
        <p className={css['message']}>{message}</p>
        {note && <p className={css['note']}>{note}</p>}
        <div className={css['buttons']}>
          <Button look="main" onClick={() => answer(null)}>
            확인
          </Button>
        </div>
      </div>
    </Modal>
  )
}

function Confirm({ question: { message, note, yes, danger }, answer }: { question: ConfirmQuestion; answer: Answer }) {
  return (
    <Modal label={message} look="box" role="alertdialog" onClose={() => answer(null)} persistent>
      <div className={css['body']}>
        <p className={css['message']}>{message}</p>
        {note && <p className={css['note']}>{note}</p>}
        <div className={css['buttons']}>
          {/* Cancel comes first, so that the dialog gives it the focus: a habitual Enter must sell nothing. */}
          <Button onClick={() => answer(null)}>취소</Button>
          <Button look={danger ? 'danger' : 'main'} onClick={() => answer(true)}>
            {yes}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** One below the other, for their names are sentences; the way out comes last. */
function Choices({ question: { message, note, choices }, answer }: { question: ChoiceQuestion; answer: Answer }) {
  return (
    <Modal label={message} look="box" role="alertdialog" onClose={() => answer(null)} persistent>
      <div className={css['body']}>
        <p className={css['message']}>{message}</p>
        {note && <p className={css['note']}>{note}</p>}
        <div className={css['choices']}>
          {choices.map(({ name, value, danger }) => (
            <Button key={value} look={danger ? 'danger' : 'main'} onClick={() => answer(value)}>
              {name}
            </Button>
          ))}
          <Button onClick={() => answer(null)}>그만두기</Button>
        </div>
      </div>
    </Modal>
  )
}

function Prompt({ question: { message, note, fields }, answer }: { question: PromptQuestion; answer: Answer }) {
  const [texts, setTexts] = useState(() => fields.map((field) => field.initial ?? ''))
  const [problems, setProblems] = useState<readonly (string | null)[]>([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = texts.map((text) => text.trim())
    const found = fields.map(({ problem }, index) => (trimmed[index] && problem?.(trimmed[index])) || null)
    if (found.every((one) => one === null)) answer(trimmed)
    else setProblems(found)
  }
  return (
    <Modal label={message} look="box" onClose={() => answer(null)} persistent>
      <form className={css['body']} onSubmit={submit}>
        <p className={css['message']}>{message}</p>
        {note && <p className={css['note']}>{note}</p>}
        {fields.map((field, index) => (
          <PromptInput
            key={field.label}
            field={field}
            text={texts[index] ?? ''}
            problem={problems[index] ?? undefined}
            onChange={(text) => {
              setTexts(texts.with(index, text))
              setProblems([])
            }}
          />
        ))}
        <div className={css['buttons']}>
          <Button onClick={() => answer(null)}>취소</Button>
          <Button look="main" type="submit">
            확인
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface InputProps {
  field: PromptField
  text: string
  problem: string | undefined
  onChange: (text: string) => void
}

function PromptInput({ field: { label, unit, type, step }, text, problem, onChange }: InputProps) {
  if (step !== undefined) return <Stepper label={label} unit={step} value={text} onChange={onChange} />
  return (
    <Field
      label={label}
      unit={unit}
      type={type === 'password' ? 'password' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
      autoComplete={type === 'password' ? 'current-password' : 'off'}
      value={text}
      error={problem}
      onChange={onChange}
    />
  )
}
