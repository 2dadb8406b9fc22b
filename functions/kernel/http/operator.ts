import { isDeepStrictEqual } from 'node:util';

import {
  isReading,
  operatorPermissionRequired,
  permissionIn,
  type RequiredPermission,
  requiredPermission,
} from '../authentication/operator-permission.ts';
import {
  type Approval,
  approvalRequired,
  PROPOSAL_HEADER,
  proposalNotNeeded,
  PROPOSE_HEADER,
} from '../approvals/declare.ts';
import { type Caller, type ConcernedCall, systemActor } from '../authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../authentication/environment-id.ts';
import { findEnvironment } from '../authentication/environment.ts';
import type { OnlyCall } from '../authentication/grant-entity.ts';
import { requiredStepUp, stepUpRequired } from '../authentication/step-up.ts';
import { clock } from '../clock.ts';
import { declareError, Failure } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { findSecretMember, withoutSecrets } from '../secret-members.ts';
import { applyWork } from '../storage/background.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { countAct } from './operator-limits.ts';
import { type OperatorAct, stageLogLine } from './operators-log.ts';

const rejected = (permission: RequiredPermission, message: string): Failure =>
  new Failure(operatorPermissionRequired, { message, members: { permission } });

const NEVER = 'No operator may call this operation: it acts for a person or an application.';

/**
 * Admits a call of an operator: the operator has the permission, gives a reason where one is required, and has a recent proof of
 * identity where a step-up is. A call without permission or proof is logged before it is rejected. A dry run needs neither reason nor
 * proof.
 * @returns undefined for every other caller
 * @throws Failure 403 that names the permission, or asks for a step-up; 400 for a missing or invalid reason; 429 beyond a limit of the
 * operator
 */
export async function admitOperator(
  caller: Caller,
  call: Pick<OperatorAct, 'operation' | 'params' | 'request'>,
  isDryRun: boolean,
): Promise<OperatorAct | undefined> {
  const { operator } = caller;
  if (operator === undefined) return undefined;
  const permission = permissionIn(caller.environmentId, requiredPermission(call.operation));
  const act: OperatorAct = { ...call, caller: { ...caller, operator }, permission };
  if (permission === 'never' || !operator.permissions.has(permission)) {
    await logRejection(act);
    const message = `The operator has no permission “${permission}” in this environment, which this operation requires.`;
    throw rejected(permission, permission === 'never' ? NEVER : message);
  }
  if (operator.only !== undefined && !isOnlyCall(operator.only, call)) {
    await logRejection(act);
    throw rejected('never', 'The grant of an export allows its list with its filter, and no other call.');
  }
  const reason = readReason(call.request);
  if (reason === undefined && !isDryRun && (await needsReason(act))) throw new Failure(reasonRequired);
  if (!isDryRun && operator.steppedUpUntil <= clock.now() && (await needsStepUp(act))) {
    await logRejection({ ...act, reason });
    throw new Failure(stepUpRequired);
  }
  const tooMany = isDryRun ? undefined : await countAct(act);
  if (tooMany !== undefined) {
    await logRejection({ ...act, reason });
    throw tooMany;
  }
  return { ...act, reason };
}

/** The members of a query that choose a page of a list. */
const PAGE_MEMBERS = ['limit', 'after', 'order'];

/** Reports whether a call is the one that a grant allows: the same operation, parameters and filter, each member once. */
function isOnlyCall(
  only: OnlyCall,
  { operation, params, request }: Pick<OperatorAct, 'operation' | 'params' | 'request'>,
): boolean {
  const sent = [...new URLSearchParams(request.rawQuery)].filter(([name]) => !PAGE_MEMBERS.includes(name));
  return (
    operation.method === 'GET' &&
    operation.id === only.operation &&
    isDeepStrictEqual({ ...params }, only.params) &&
    sent.length === Object.keys(only.query).length &&
    isDeepStrictEqual(Object.fromEntries(sent), only.query)
  );
}

/** Writes the line of a call that is rejected, by one write. */
async function logRejection(act: OperatorAct): Promise<void> {
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => stageLogLine(unit, act, 'rejected'));
}

/** The error for an act without a reason. */
export const reasonRequired = declareError({
  status: 400,
  code: 'operator_reason_required',
  message:
    'This operation requires the reason of the operator: 4 to 200 characters in the header Gatehouse-Reason, percent-encoded as UTF-8.',
});

/** The bounds of a reason in characters. */
export const REASON_LENGTH = { least: 4, most: 200 } as const;

/** The reason of a request. @throws Failure 400 for one that is too short, too long or not encoded correctly */
export function readReason({ headers }: IncomingRequest): string | undefined {
  const sent = headers['gatehouse-reason'];
  if (sent === undefined || sent === '') return undefined;
  const reason = decode(sent)?.trim() ?? '';
  if (reason.length < REASON_LENGTH.least || reason.length > REASON_LENGTH.most) throw new Failure(reasonRequired);
  return reason;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Acts on people and secrets, and destructive ones, need a reason; in an environment marked as production every act does. */
async function needsReason({ operation, permission, caller }: OperatorAct): Promise<boolean> {
  if (isReading(operation)) return false;
  if (permission !== 'config.change') return true;
  return isProduction(caller);
}

/** Reports whether a call asks for a step-up: see `requiredStepUp`. */
async function needsStepUp({ operation, caller }: OperatorAct): Promise<boolean> {
  const stepUp = requiredStepUp(operation);
  return stepUp === 'always' || (stepUp === 'production' && (await isProduction(caller)));
}

const isProduction = async ({ environmentId }: Pick<Caller, 'environmentId'>): Promise<boolean> =>
  (await findEnvironment(environmentId))?.isProduction === true;

/**
 * Rejects an operator who sends a secret for a person, such as a password, or another such member, such as the address of a
 * user: it would allow the operator to act as that person.
 * @throws Failure 403
 */
export function rejectSecretInput(caller: Caller, operation: Operation, body: unknown): void {
  if (caller.operator === undefined || operation.body === undefined) return;
  if (!requiredPermission(operation).startsWith('people.')) return;
  const { notFromOperators: closed = [] } = operation;
  const name =
    closed.find((one) => (body as Record<string, unknown> | undefined)?.[one] !== undefined) ??
    findSecretMember(operation.body, body);
  if (name !== undefined) {
    throw rejected('never', `No operator may send “${name}”: with it the operator could act as that person.`);
  }
}

/**
 * Finds the approval of an operator's call that needs one; a dry run needs none.
 * @returns undefined for every other call
 * @throws Failure 403 without an approval, which is logged; 400 for a proposal of a call that needs none
 */
export async function findApproval(
  act: OperatorAct | undefined,
  call: ConcernedCall,
  isDryRun: boolean,
): Promise<Approval | undefined> {
  if (act === undefined || isDryRun) return undefined;
  try {
    const approval = await act.operation.secondPerson?.admit({ ...call, act });
    const { headers } = act.request;
    const isMeant = headers[PROPOSE_HEADER] !== undefined || headers[PROPOSAL_HEADER] !== undefined;
    if (approval === undefined && isMeant) throw new Failure(proposalNotNeeded);
    return approval;
  } catch (error) {
    if (error instanceof Failure && error.declared === approvalRequired) await logRejection(act);
    throw error;
  }
}

/** The permissions of operations that show a secret on purpose. */
const SHOWING: readonly RequiredPermission[] = ['secrets.write', 'secrets.reveal', 'people.impersonate'];

/** The body of a response as the caller gets it: operators get no secret members, unless the operation shows a secret. */
export function bodyForCaller(
  caller: Caller,
  operation: Operation,
  schema: Parameters<typeof withoutSecrets>[0],
  body: unknown,
) {
  const isWhole = caller.operator === undefined || SHOWING.includes(requiredPermission(operation));
  return isWhole ? body : withoutSecrets(schema, body);
}
