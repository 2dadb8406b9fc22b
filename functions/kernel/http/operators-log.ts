import type { Caller } from '../authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../authentication/environment-id.ts';
import { isReading, type RequiredPermission } from '../authentication/operator-permission.ts';
import { clock } from '../clock.ts';
import { newUlid } from '../ids.ts';
import type { Operation } from '../operation.ts';
import { outgoing } from '../storage/outbox.ts';
import type { Unit } from '../storage/unit.ts';
import type { IncomingRequest } from './incoming-request.ts';

/** A call of an operator that is allowed, with the data for its line in the operators' log. */
export interface OperatorAct {
  caller: Caller & { operator: NonNullable<Caller['operator']> };
  operation: Operation;
  params: Readonly<Record<string, string>>;
  request: IncomingRequest;
  permission: RequiredPermission;
  /** The reason that the operator gave. */
  reason?: string | undefined;
  /** The proposal that the call makes or uses. */
  proposalId?: string | undefined;
  /** Further metadata of the line: what the call concerned, such as the filter of an export. */
  details?: Readonly<Record<string, string>> | undefined;
}

/**
 * `done`: the call was made; `failed`: it failed and committed something; `rejected`: the operator has no permission for it, has reached
 * a limit, or has no approval; `proposed`: it waits for the approval of another operator.
 */
export type ActOutcome = 'done' | 'failed' | 'rejected' | 'proposed';

/** A line of the operators' log, in the form of the body that records an event of an audit log. */
export interface LogLine {
  /** The id under which the event is recorded once, although its message may arrive twice. */
  id: string;
  organization_id: string;
  event: {
    action: string;
    occurred_at: string;
    actor: { id: string; type: string; name: string; metadata: Record<string, string> };
    targets: { id: string; type: string }[];
    context: { location: string; user_agent: string };
    metadata: Record<string, string>;
  };
}

const MAX_TEXT = 500;
/** The paths of exports, and of the downloads and proofs of an export. */
const EXPORT = /\/(?:export|tuples)$|\/exports\/\{/;
const shortened = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed();

const shortenedDetails = (details: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(details).map(([name, text]) => [name, shortened(text)]));

/** The kind of a record by the prefix of its id, such as `user`; the name of the path's parameter if it has none. */
const readType = (name: string, value: string): string => /^([a-z_]+)_[0-9A-Z]{26}$/.exec(value)?.[1] ?? name;

/** The environment, and the records that the path names. A parameter that is a token is left out. */
function listTargets({ caller, params }: OperatorAct): { id: string; type: string }[] {
  const named = Object.entries(params).filter(([name, value]) => value !== '' && !/token/i.test(name));
  return [
    { id: caller.environmentId, type: 'environment' },
    ...named.map(([name, value]) => ({ id: shortened(value), type: readType(name, value) })),
  ];
}

function makeLine(act: OperatorAct, outcome: ActOutcome): LogLine {
  const { caller, operation, request, permission, reason, proposalId, details = {} } = act;
  const { actor, operator } = caller;
  return {
    id: newUlid(),
    organization_id: OPERATORS_ORGANIZATION_ID,
    event: {
      action: operation.id,
      occurred_at: clock.timestamp(),
      actor: {
        id: actor.id,
        type: 'operator',
        name: shortened(actor.name ?? actor.id),
        metadata: { roles: shortened(operator.roles.join(' ')), session: operator.sessionHash.slice(0, 16) },
      },
      targets: listTargets(act),
      context: { location: operator.address, user_agent: shortened(request.userAgent ?? '') },
      metadata: {
        ...shortenedDetails(details),
        outcome,
        permission,
        request_id: request.id,
        ...(reason === undefined ? {} : { reason: shortened(reason) }),
        ...(proposalId === undefined ? {} : { proposal: proposalId }),
      },
    },
  };
}

/**
 * Reports whether a call has a line: every act, every reveal, every export, and a read that changes something. Other reads have none.
 */
export function isLogged({ operation }: OperatorAct, unit: Pick<Unit, 'isEmpty'>): boolean {
  return !isReading(operation) || !unit.isEmpty || EXPORT.test(operation.path);
}

/** An act on the stage that is no call of the API, such as one of a command. */
export interface StageAct {
  action: string;
  actor: { id: string; name: string };
  environmentId: string;
  /** The reason of the operator; absent for background work, whose call had one. */
  reason?: string;
  /** Further targets and metadata of the line. */
  targets?: readonly { id: string; type: string }[];
  details?: Readonly<Record<string, string>>;
  outcome?: ActOutcome;
  /** The address and the user agent of the browser; absent for a command. */
  request?: Pick<IncomingRequest, 'sourceIp' | 'userAgent'>;
}

/** Stages the line of an act that is no call of the API. */
export function stageLineOfStage(
  unit: Pick<Unit, 'stage'>,
  {
    action,
    actor: { id, name },
    environmentId,
    reason,
    targets = [],
    details = {},
    outcome = 'done',
    request,
  }: StageAct,
): void {
  const line: LogLine = {
    id: newUlid(),
    organization_id: OPERATORS_ORGANIZATION_ID,
    event: {
      action,
      occurred_at: clock.timestamp(),
      actor: { id, type: 'operator', name: shortened(name), metadata: {} },
      targets: [{ id: environmentId, type: 'environment' }, ...targets],
      context: { location: request?.sourceIp ?? '', user_agent: shortened(request?.userAgent ?? '') },
      metadata: {
        ...shortenedDetails(details),
        outcome,
        ...(reason === undefined ? {} : { reason: shortened(reason) }),
      },
    },
  };
  unit.stage(outgoing(OPERATORS_ENVIRONMENT_ID, 'audit-logs', { kind: 'record', line }));
}

/**
 * Stages the line of a call in the operators' log. It is a row of the outbox, in the transaction of the change or before the response:
 * without its line there is neither. A worker of the audit logs records it in the log of the operators' organization.
 */
export function stageLogLine(unit: Pick<Unit, 'stage'>, act: OperatorAct, outcome: ActOutcome): void {
  unit.stage(outgoing(OPERATORS_ENVIRONMENT_ID, 'audit-logs', { kind: 'record', line: makeLine(act, outcome) }));
}
