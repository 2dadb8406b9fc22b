import type * as z from 'zod';

import type { Approval } from '../approvals/declare.ts';
import type { Caller } from '../authentication/caller.ts';
import { findForeignMember, pickMembers } from '../authentication/granted-fields.ts';
import { Failure, general, type Issue, orFail } from '../errors.ts';
import type { IdempotencyRow } from '../idempotency/entity.ts';
import { type CallIdentity, findStoredResponse, storeResponse } from '../idempotency/replay.ts';
import type { Operation } from '../operation.ts';
import { respondToDryRun, isDryRun } from './dry-run.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { backOff, TRIES, TURN_TRIES } from '../storage/background.ts';
import { settleEarlyReads } from '../concurrency.ts';
import { Unit } from '../storage/unit.ts';
import { checkPrecondition, withEtag } from './precondition.ts';
import { parseBody, parseInput, queryObject } from './input.ts';
import { admitOperator, bodyForCaller, findApproval, rejectSecretInput } from './operator.ts';
import { isLogged, type OperatorAct, stageLogLine } from './operators-log.ts';
import { bodyValue } from './request.ts';

export interface CallResponse {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** The values of the Set-Cookie headers, one for each. */
  cookies?: readonly string[];
}

/** The input of one call of an operation. */
export interface Call {
  operation: Operation;
  /** The area of the operation, for keys that are limited to some areas. */
  area: string;
  request: IncomingRequest;
  params: Record<string, string>;
  /** A function that is called with the caller as soon as it is known. */
  onCaller?: (caller: Caller) => void;
  /** Reports whether the called environment registered the origin of the calling page. */
  isFromRegisteredOrigin?: () => Promise<boolean>;
}

/**
 * Authenticates, parses, runs and commits one call.
 * @throws Failure for every rejected call.
 */
export async function execute(call: Call): Promise<CallResponse> {
  const { operation, request } = call;
  const caller = await orFail(
    operation.auth.authenticate(request),
    () => new Failure(general.unauthorized, { headers: { 'www-authenticate': 'Bearer' } }),
  );
  call.onCaller?.(caller);
  if (!mayCall(caller, call)) throw new Failure(general.forbidden);
  rejectForeignMember(caller, call);
  const dryRun = isDryRun(operation, request);
  const act = await admitOperator(caller, call, dryRun);
  const input = readInput(call);
  rejectSecretInput(caller, call.operation, input.body);
  await checkOrganization(caller, call, input);
  const concerned = { ...input, environmentId: caller.environmentId, params: call.params };
  const approval = await findApproval(act, concerned, dryRun);
  if (approval?.kind === 'propose') return approval.propose(await rehearseCall(call, { caller, act }, input));
  approval?.compare(await rehearseCall(call, { caller, act }, input));
  const identity = dryRun ? undefined : makeCallIdentity(call, caller);
  const memory = identity && { identity, former: undefined };
  return attempt(call, { caller, act, approval }, input, { memory, dryRun });
}

/** The caller of a call; for an operator, the data for the log and the approval that the call uses. */
interface Author {
  caller: Caller;
  act: OperatorAct | undefined;
  approval?: Extract<Approval, { kind: 'use' }> | undefined;
}

/** Executes a call, again after each conflict. */
async function attempt(call: Call, author: Author, input: Input, state: Omit<Attempt, 'unit'>): Promise<CallResponse> {
  const done = new Map<string, Promise<unknown>>();
  let tries = TRIES;
  for (let at = 1; at <= tries; at += 1) {
    await backOff(at);
    const { caller } = author;
    const unit = new Unit(caller.environmentId, caller.actor, done, state.dryRun);
    const response = await attemptOnce(call, author, input, { ...state, unit });
    if (response !== undefined) return response;
    if (unit.hasTurn) tries = TURN_TRIES;
  }
  throw new Failure(call.operation.conflict ?? general.concurrentRequest, { retryAfter: 1 });
}

/** The result of a dry run of a call; undefined for an operation without one. */
async function rehearseCall(call: Call, author: Author, input: Input): Promise<unknown> {
  if (call.operation.dryRun !== true) return undefined;
  const { body } = await attempt(call, author, input, { memory: undefined, dryRun: true });
  return (body as { would: unknown }).would;
}

/** Reports whether a caller may call the operation: a key may be limited to some areas, or to reads that expose no credential; a grant is to some operations. */
function mayCall({ limits, grant }: Caller, { operation, area }: Call): boolean {
  if (grant !== undefined && !Object.hasOwn(grant.operations, operation.id)) return false;
  if (limits === undefined) return true;
  const isMereRead = operation.method === 'GET' && operation.exposesCredential !== true;
  return (!limits.readOnly || isMereRead) && (limits.areas?.includes(area) ?? true);
}

/** Rejects a body with a member that the holder of a grant may not send. */
function rejectForeignMember({ grant }: Caller, { operation, request }: Call): void {
  if (grant === undefined || operation.body === undefined) return;
  const name = findForeignMember(bodyValue(operation, request), grant.operations[operation.id]?.body ?? []);
  if (name === undefined) return;
  throw new Failure(general.forbidden, {
    message: `The pages of the portal do not have “${name}”, so its sessions cannot send it. Send it with an API key.`,
  });
}

/** Rejects a call with a grant on another organization's record as the operation reports a missing record. */
async function checkOrganization({ grant, environmentId }: Caller, call: Call, input: Input): Promise<void> {
  if (grant === undefined) return;
  const { operation, params } = call;
  const concerned = await operation.auth.findOrganization?.({ ...input, environmentId, params });
  if (concerned === grant.organizationId) return;
  throw new Failure(operation.errors.find(({ status }) => status === 404) ?? general.forbidden);
}

interface Input {
  query: unknown;
  body: unknown;
}

function readInput({ operation, request }: Call): Input {
  const body = operation.body === undefined ? undefined : bodyValue(operation, request);
  const query = operation.query && parseInput(operation.query, queryObject(request.rawQuery));
  const parsed = operation.body && parseBody(operation.body, body);
  const issues = [...(query?.issues ?? []), ...(parsed?.issues ?? [])];
  if (issues.length > 0) {
    const [named] = issues.flatMap(({ field }) => operation.memberErrors?.[field.split('.', 1)[0] ?? ''] ?? []);
    const error = named ?? operation.bodyError?.(body);
    throw error === undefined ? invalidInput(issues) : new Failure(error, { issues });
  }
  return { query: query?.value, body: parsed?.value };
}

const invalidInput = (issues: readonly Issue[]): Failure => new Failure(general.invalidParameters, { issues });

/** The idempotency state of a call with an Idempotency-Key. */
interface Memory {
  identity: CallIdentity;
  /** The row of an earlier call whose record was deleted: the new response replaces it. */
  former: IdempotencyRow | undefined;
}

/** One attempt of a call. */
interface Attempt {
  memory: Memory | undefined;
  dryRun: boolean;
  unit: Unit;
}

/** Executes a call once. Returns undefined after a conflict, or if an earlier call's record was deleted. */
async function attemptOnce(
  call: Call,
  author: Author,
  input: Input,
  { memory, dryRun, unit }: Attempt,
): Promise<CallResponse | undefined> {
  const { operation, request } = call;
  const { caller, act } = author;
  try {
    const response = await runHandler(operation, call, caller, input, unit);
    await checkPrecondition(operation, request, async (read) => {
      const none = { query: undefined, body: undefined };
      return runHandler(read, call, caller, none, new Unit(caller.environmentId, caller.actor));
    });
    if (dryRun) return await respondToDryRun(caller, unit, response);
    if (memory !== undefined && !unit.isEmpty) stageReplay(unit, memory, response);
    stageAct(unit, author);
    const outcome = await unit.commit();
    if (outcome.kind === 'conflict') return undefined;
    if (outcome.kind === 'committed' || memory === undefined) return response;
    return await findReplay(memory);
  } catch (error) {
    // The first call may have created the record that makes the second one fail, so a stored first response has priority.
    const first = error instanceof Failure && memory !== undefined ? await findReplay(memory) : undefined;
    if (first !== undefined) return first;
    const isKept = error instanceof Failure && error.details.commitOnFailure === true && !dryRun;
    if (isKept && act !== undefined) stageLogLine(unit, act, 'failed');
    if (isKept && (await unit.commit()).kind === 'conflict') return undefined;
    throw error;
  } finally {
    await settleEarlyReads(unit);
  }
}

/** Runs the handler of an operation, and checks its response. */
async function runHandler(
  operation: Operation,
  { params, request, isFromRegisteredOrigin = noOrigin }: Call,
  caller: Caller,
  input: Input,
  unit: Unit,
): Promise<CallResponse> {
  const reply = await operation.handle({
    ...input,
    params,
    caller,
    environmentId: caller.environmentId,
    unit,
    fail: (error, details) => new Failure(error, details),
    invalid: invalidInput,
    request,
    isFromRegisteredOrigin,
  } satisfies Parameters<AnyHandler>[0] as never);
  return withEtag(operation, parseResponse(operation, reply, caller));
}

/** Stages what the call of an operator leaves behind: its line in the log, and the use of its approval. */
function stageAct(unit: Unit, { act, approval }: Author): void {
  if (act !== undefined && isLogged(act, unit))
    stageLogLine(unit, { ...act, proposalId: approval?.proposalId, details: unit.logDetails }, 'done');
  approval?.stageUse(unit);
}

type AnyHandler = (context: {
  query: unknown;
  body: unknown;
  params: Record<string, string>;
  caller: Caller;
  environmentId: string;
  unit: Unit;
  fail: (error: Failure['declared'], details?: Failure['details']) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
  request: IncomingRequest;
  isFromRegisteredOrigin: () => Promise<boolean>;
}) => Promise<CallResponse>;

const noOrigin = async (): Promise<boolean> => false;

/**
 * Parses the response by its declaration: undeclared members are removed; an undeclared status or an invalid member is
 * an internal fault.
 */
function parseResponse(operation: Operation, reply: CallResponse, caller: Caller): CallResponse {
  const schema = (operation.responses as Record<number, z.ZodType | null | undefined>)[reply.status];
  if (schema === undefined) throw new Error(`${operation.id} responded with the undeclared status ${reply.status}`);
  if (schema === null) {
    const { status, headers, cookies } = reply;
    return { status, ...(headers && { headers }), ...(cookies && { cookies }) };
  }
  const parsed = schema.parse(reply.body);
  const fields = caller.grant?.operations[operation.id];
  const body =
    fields === undefined
      ? bodyForCaller(caller, operation, schema, parsed)
      : pickMembers(parsed, fields.response ?? []);
  return { ...reply, body };
}

function stageReplay(unit: Unit, { identity, former }: Memory, { status, body }: CallResponse): void {
  const created = status === 201 ? unit.findRow((body as { id?: unknown } | undefined)?.id) : undefined;
  unit.stageReplayRecord(storeResponse(identity, { status, body }, created, former));
}

const DONE_WITHOUT_RESPONSE =
  'This request was done, and its response was too large to be kept for a repetition. Read what it changed, or use a new ' +
  'Idempotency-Key to do it again.';

/** The first response of a repeated call; undefined if there is none, or if its record was deleted. */
async function findReplay(memory: Memory): Promise<CallResponse | undefined> {
  const found = await findStoredResponse(memory.identity);
  if (found?.kind === 'mismatch') throw new Failure(general.idempotencyMismatch);
  if (found?.kind === 'unkept') throw new Failure(general.idempotencyMismatch, { message: DONE_WITHOUT_RESPONSE });
  memory.former = found?.kind === 'gone' ? found.row : undefined;
  return found?.kind === 'response' ? { ...found.response, headers: { 'idempotent-replayed': 'true' } } : undefined;
}

function makeCallIdentity({ operation, request }: Call, caller: Caller): CallIdentity | undefined {
  const key = request.headers['idempotency-key'];
  if (operation.idempotency !== 'replay' || key === undefined || key === '') return undefined;
  if (key.length > 255) {
    const issue = { field: 'Idempotency-Key', code: 'too_big', message: 'has at most 255 characters' };
    throw invalidInput([issue]);
  }
  const { method, path, rawBody } = request;
  return { environmentId: caller.environmentId, proof: caller.proof, method, path, key, rawBody };
}
