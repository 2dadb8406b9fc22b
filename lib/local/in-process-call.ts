import { AsyncLocalStorage } from 'node:async_hooks';

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

/** The result of an attempt: a response, or an error without one. */
export type Attempt = { reply: AwsReply } | { error: unknown };

const firstAttempts = new AsyncLocalStorage<{ attempt: Attempt | undefined }>();

/** Calls the SDK, whose first attempt is not carried out again but ends as it did before. */
export const withFirstAttempt = <T>(attempt: Attempt, call: () => Promise<T>): Promise<T> =>
  firstAttempts.run({ attempt }, call);

/** Takes what the first attempt of the current call ended with; undefined for a call without one, and for its later attempts. */
export function takeFirstAttempt(): Attempt | undefined {
  const known = firstAttempts.getStore();
  const attempt = known?.attempt;
  if (known !== undefined) known.attempt = undefined;
  return attempt;
}

/** Makes an error with a name by which the SDK's clients know it. */
export const makeError = (name: string, message: string): Error => Object.assign(new Error(message), { name });
