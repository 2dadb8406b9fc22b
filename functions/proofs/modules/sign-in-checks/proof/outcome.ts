import type { DeclaredError } from '../../../../kernel/errors.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { ClientContext } from '../../../../tenancy/modules/known-devices/public.ts';

/** Proofs that have their own events. */
export type Proof = 'password' | 'magic_auth' | 'mfa' | 'email_verification' | 'oauth' | 'passkey';

export const proofEvents = [
  'authentication.password_succeeded',
  'authentication.password_failed',
  'authentication.magic_auth_succeeded',
  'authentication.magic_auth_failed',
  'authentication.mfa_succeeded',
  'authentication.mfa_failed',
  'authentication.email_verification_succeeded',
  'authentication.email_verification_failed',
  'authentication.oauth_succeeded',
  'authentication.oauth_failed',
] as const;

/** The events of passkeys, which only the hosted pages accept. */
export const passkeyEvents = ['authentication.passkey_succeeded', 'authentication.passkey_failed'] as const;

type ProofUnit = Pick<Unit<(typeof proofEvents)[number] | (typeof passkeyEvents)[number]>, 'emit'>;

const from = ({ ipAddress, userAgent }: ClientContext) => ({ ip_address: ipAddress, user_agent: userAgent });

/** Emits the event of a successful authentication. */
export function emitProof(
  unit: ProofUnit,
  proof: Proof,
  origin: ClientContext,
  user: { id: string; email: string },
): void {
  const data = { type: proof, status: 'succeeded' as const, ...from(origin), user_id: user.id, email: user.email };
  unit.emit(`authentication.${proof}_succeeded`, data);
}

/** Emits the event of a failed authentication, whose members are the same whether or not there is such a user. */
export function emitFailure(
  unit: ProofUnit,
  proof: Proof,
  origin: ClientContext,
  user: { userId: string | null; email: string | null },
  { code, message }: DeclaredError,
): void {
  const data = {
    type: proof,
    status: 'failed' as const,
    ...from(origin),
    user_id: user.userId,
    email: user.email,
    error: { code, message },
  };
  unit.emit(`authentication.${proof}_failed`, data);
}
