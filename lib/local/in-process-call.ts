import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request of the AWS JSON protocol that a client of this process sends. */
export interface InProcessCall {
  operation: string;
  /** The request in the form of the protocol. */
  input: object;
  /** The client's limit in ms for a response. */
  requestMs: number;
  signal: AbortSignal | undefined;
}

/** A response of the AWS JSON protocol, whose body is an error if the status is at least 300. */
export interface AwsReply {
  status: number;
  body: Record<string, unknown>;
}

/**
 * Carries out a call. An error that it throws is an attempt without a response, which the SDK repeats as it does after a broken
 * connection.
 */
export type CarryOut = (call: InProcessCall) => Promise<AwsReply>;

/** The result of an attempt: a response, or an error without one. */
export type Attempt = { reply: AwsReply } | { error: unknown };

/** A call whose first attempt was made without the SDK. */
interface Pending {
  input: object;
  /** The first attempt, until the SDK takes it. */
  attempt: Attempt | undefined;
}

const calls = new AsyncLocalStorage<Pending>();

/** Calls the SDK, whose first attempt is not carried out again but ends as it did before. Further attempts have the same input. */
export const withFirstAttempt = <T>(pending: Pending, call: () => Promise<T>): Promise<T> => calls.run(pending, call);

/** The current call, if its first attempt was made without the SDK. */
export const pendingCall = (): Pending | undefined => calls.getStore();

/** Makes an error with a name by which the SDK's clients know it. */
export const makeError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/**
 * Carries out a call after a turn of the event loop, so that concurrent requests interleave.
 * @throws Error as `carryOut`; AbortError if the caller aborts it before or during the call
 */
export async function carryOutInTurn(carryOut: CarryOut, call: InProcessCall): Promise<AwsReply> {
  await nextTurn();
  checkAbort(call);
  const reply = await carryOut(call);
  checkAbort(call);
  return reply;
}

function checkAbort({ signal }: InProcessCall): void {
  if (signal?.aborted === true) throw makeError('AbortError', 'The call was aborted');
}
