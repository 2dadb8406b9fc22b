import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import type { Attempt, Method } from '../../authentication/public.ts';
import type { HostedFlowRecord } from './entity.ts';

/** A step that the sign-in waits at, with the engine's token to go on. */
export interface PendingStep {
  /** The engine's name of what is asked for. */
  code: string;
  token: string;
  /** What the step's page shows: organizations, a challenge. */
  members: Record<string, unknown>;
}

/** What is known of a person on their way through the pages. */
export interface FlowState {
  /** As typed on the first page. */
  email?: string | undefined;
  pending?: PendingStep | undefined;
  /** The telephone that a code was sent to, and the challenge that takes it. */
  telephone?: { challengeId: string; phoneNumber: string } | undefined;
  /** An account at a provider that told no email: the address is asked for, and a code proves it. */
  account?: AccountStep | undefined;
  /** A sign-up whose code is awaited. */
  signUp?: SignUpStep | undefined;
  /** Signed in, where something of the service's own is decided yet: the approval of a device. */
  ready?: ReadyStep | undefined;
  /** What was decided on it. */
  decided?: 'approved' | 'denied' | undefined;
  /** Where the browser was sent in the end: a form that is sent twice leads there twice. */
  location?: string | undefined;
}

/** Somebody whom a provider knows, but not the email of. */
export interface AccountStep {
  identity: NonNullable<Attempt['identity']>;
  /** For the application. */
  oauthTokens: Attempt['oauthTokens'];
  /** When the provider proved who it is, in milliseconds since the epoch. */
  authenticatedAt: number;
}

/** Somebody who signs up and proves the address next. */
export interface SignUpStep {
  /** The new account; absent where the address had one, which the page does not tell. */
  userId?: string | undefined;
  /** Names the counter of wrong codes where there is no code to be right: raised with each new one. */
  round: number;
}

/** Who signed in, and how. */
export interface ReadyStep {
  userId: string;
  organizationId?: string | undefined;
  method: Method;
  provider?: string | undefined;
  /** The user's `credentialEpoch` then: a password set since ends it. */
  epoch: number;
}

const info = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `hosted-flow ${environmentId} ${id}`;

/** The state as it is stored: nobody but the browser with this value reads it. */
export const sealState = (own: { environmentId: string; id: string }, value: string, state: FlowState): Uint8Array =>
  derivedSeal([value], info(own), JSON.stringify(state));

/** The state of a browser's own record. */
export function openState(record: HostedFlowRecord, value: string): FlowState {
  const opened = derivedOpen([value], info(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as FlowState;
}
