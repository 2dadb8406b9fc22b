import { OPERATORS_ENVIRONMENT_ID } from '../authentication/environment-id.ts';
import { findEnvironment } from '../authentication/environment.ts';
import { requiredPermission } from '../authentication/operator-permission.ts';
import { Failure, general } from '../errors.ts';
import { consume } from '../limits/counter.ts';
import { findLimit, type LimitName } from '../limits/named-limits.ts';
import { count } from '../metrics.ts';
import type { Operation, OperatorLimit } from '../operation.ts';
import type { OperatorAct } from './operators-log.ts';

const NAMES: Readonly<Record<OperatorLimit, LimitName>> = {
  resets: 'operator-reset.operator',
  reveals: 'operator-reveal.operator',
  exports: 'operator-export.operator',
  impersonations: 'operator-impersonation.operator',
};

/** The limit of an operator's calls of an operation: the declared one; `reveals` for one that reveals a stored secret. */
const findKind = (operation: Operation): OperatorLimit | undefined =>
  operation.operatorLimit ?? (requiredPermission(operation) === 'secrets.reveal' ? 'reveals' : undefined);

/**
 * Counts a call of an operator whose number in a day is limited, over all environments of the stage. The settings of the environment of
 * the operators may override the limits (`named-limits.ts`).
 * @returns undefined if the call is allowed, otherwise the 429. An alarm reports that a limit was reached
 */
export async function countAct({ operation, caller: { actor } }: OperatorAct): Promise<Failure | undefined> {
  const kind = findKind(operation);
  if (kind === undefined) return undefined;
  const name = NAMES[kind];
  const limit = findLimit(name, (await findEnvironment(OPERATORS_ENVIRONMENT_ID))?.settings);
  if (limit === undefined) return undefined;
  const verdict = await consume(OPERATORS_ENVIRONMENT_ID, { name, key: actor.id }, limit);
  if (verdict.allowed) return undefined;
  count({ operator_alarms: { value: 1, unit: 'Count' } }, { reason: name, operator_id: actor.id });
  const message = `The operator has reached the limit of ${limit.limit} ${kind} a day. Ask another operator, or wait for the time in Retry-After.`;
  return new Failure(general.tooManyRequests, { message, retryAfter: verdict.retryAfterSeconds });
}
