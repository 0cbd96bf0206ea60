import type { CommandOf } from './command-result.ts'
import { keepPrices, settleBaseMove } from './corporate-action.ts'
import { giveUpExpected } from './give-up-expected.ts'
import type { StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'

/** A person settles a move of the base price, or what it left open. */
export function handleActionCommand(
  builder: StepBuilder,
  command: CommandOf<'adjustStock' | 'keepStock' | 'giveUpExpected'>,
  stock: Stock,
): CommandResult {
  switch (command.kind) {
    case 'adjustStock':
      return settleBaseMove(builder, command, stock)
    case 'keepStock':
      return keepPrices(builder, command, stock)
    case 'giveUpExpected':
      return giveUpExpected(builder, command, stock)
  }
}
