import type { Origin } from '../../authentication/public.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { SocialProof } from './proof.ts';

/** What a sign-in through a provider tells by itself. */
export const outcomeEvents = ['authentication.oauth_succeeded', 'authentication.oauth_failed'] as const;

type OutcomeUnit = Pick<Unit<(typeof outcomeEvents)[number]>, 'emit'>;

const from = ({ ipAddress, userAgent }: Origin) => ({ ip_address: ipAddress, user_agent: userAgent });

/** Tells that a provider vouches for somebody; without an email there is nobody to tell of yet. */
export function emitProof(
  unit: OutcomeUnit,
  origin: Origin,
  { profile }: SocialProof,
  userId: string | null = null,
): void {
  if (profile.email === undefined) return;
  unit.emit('authentication.oauth_succeeded', {
    type: 'oauth',
    status: 'succeeded',
    ...from(origin),
    user_id: userId,
    email: profile.email,
  });
}

/** Tells that nobody was signed in. */
export function emitFailure(
  unit: OutcomeUnit,
  origin: Origin,
  { code, message }: { code: string; message: string },
  email: string | null = null,
): void {
  unit.emit('authentication.oauth_failed', {
    type: 'oauth',
    status: 'failed',
    ...from(origin),
    user_id: null,
    email,
    error: { code, message },
  });
}
