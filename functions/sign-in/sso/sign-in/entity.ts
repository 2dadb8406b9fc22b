import { collection } from '../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';
import type { ConnectionIdentity } from './identity.ts';

/**
 * A sign-in in progress at an identity provider, from the redirect to the return of the browser. Its id is the hash of the
 * RelayState or `state`, and it accepts one response.
 */
const SsoSignInEntity = entity({
  model: model('sso-sign-in'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    connectionId: { type: 'string', required: true },
    organizationId: { type: 'string', required: true },
    purpose: { type: ['user_management', 'sso', 'test'] as const, required: true },
    /** The end of its validity, in seconds since the epoch. */
    endsAt: { type: 'number', required: true },
    /** SHA-256 of the cookie of the browser that was redirected. */
    browserHash: { type: 'string', required: true },
    /** The email in the application's login hint, and the client, for events. */
    email: { type: 'string' },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** The application and its analytics ({@link EventOrigin}), for the event of a time-out. Older rows have none. */
    origin: { type: 'any' },
    /** {@link SignInSecrets}, encrypted under the state. */
    sealed: { type: 'any', required: true },
    /** The attempt of the response. */
    attemptId: { type: 'string' },
    /** The {@link ProviderResponse}, encrypted under the state; absent until the provider has responded. */
    response: { type: 'any', field: 'answer' },
  },
  indexes: {
    primary: recordKey('sso-sign-in'),
    /** Sign-ins without a response, by the end of their validity. */
    due: dueIndex('sso-sign-in'),
  },
});

export type SsoSignInRecord = RecordOf<typeof SsoSignInEntity>;
export const ssoSignIns = collection(SsoSignInEntity, 'internal');

/** Sign-ins that have expired without a response. */
export const dueSignIns = (limit: number): Promise<SsoSignInRecord[]> => findDue(ssoSignIns.entity(), limit);

/** The part of a sign-in that only the holder of its state can read. */
export interface SignInSecrets {
  /** The sign-in flow of the service to which it belongs; absent for a test. */
  flowId?: string | undefined;
  /** The URL to which the browser is redirected after a test. */
  returnUrl?: string | undefined;
  /** The id of the SAML request. */
  requestId?: string | undefined;
  /** The nonce of the OpenID Connect request. */
  nonce?: string | undefined;
  verifier?: string | undefined;
  /** True if no request asked for the response, so that a page asks the person first. */
  needsConsent?: boolean | undefined;
  /** The requirement that the user authenticates again, if there is one. `sentAt` is in milliseconds since the epoch. */
  reauthentication?: { prompt?: string | undefined; maxAge?: number | undefined; sentAt: number } | undefined;
}

/** The response of a provider, after its verification. */
export type ProviderResponse =
  | { kind: 'identity'; identity: ConnectionIdentity }
  | { kind: 'failure'; code: string; message: string; email: string | null; check?: LastCheck };

/** The results of the checks that follow those of the protocol. */
export type LastCheck = 'identity' | 'reauthentication';

/**
 * A SAML assertion that was used. Its id is the hash of connection and assertion, and it is kept until the assertion
 * expires.
 */
const UsedAssertionEntity = entity({
  model: model('saml-assertion'),
  attributes: { ...recordAttributes, ...expiringAttributes },
  indexes: { primary: recordKey('saml-assertion') },
});

export const usedAssertions = collection(UsedAssertionEntity, 'internal');
