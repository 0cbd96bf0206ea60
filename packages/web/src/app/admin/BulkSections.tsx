import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { WEIGHTS, type BulkAction } from './adminMenu.ts'
import css from './Users.module.css'

/** What the menu can do to all users, by weight: looking first, what sends orders last and apart. */
export const BulkSections = ({ actions }: { actions: readonly BulkAction[] }) => (
  <Panel label="모든 사용자에게 할 일">
    <div className={css['weights']}>
      {WEIGHTS.map((weight) => (
        <fieldset key={weight} className={css['weight']} data-weight={weight}>
          <legend>{weight}</legend>
          {actions
            .filter((action) => action.weight === weight)
            .map(({ name, func, danger }) => (
              <Button key={name} look={danger ? 'risk' : 'plain'} aria-label={`모든 사용자 ${name}`} onClick={func}>
                {name}
              </Button>
            ))}
        </fieldset>
      ))}
    </div>
  </Panel>
)
