import { DAY_MS } from '../../../../kernel/durations.ts';
import type { LimitName } from '../../../../kernel/limits/named-limits.ts';
import type { FoundLimit } from '../limit/find.ts';
import { isLiftable } from '../limit/rules.ts';
import { type Facts, needsMail } from './facts.ts';
import type { Line } from './line.ts';

/** The limits of proofs, which stop every sign-in; the others stop one that depends on a message. */
const OF_PROOFS = /^(sign-in|mfa|radar-challenge|sms)\./;

/** The code of a line for a limit: `sign-in.email` is `limit_sign_in_email`. */
export const limitReason = (name: LimitName): string => `limit_${name.replaceAll(/[.-]/g, '_')}`;

/** The limits that are used up. */
export function explainLimits(facts: Facts): Line[] {
  const { limits, user, email } = facts;
  const source =
    user === undefined
      ? `/x/user-management/sign_in_explanation?email=${encodeURIComponent(email)}`
      : `/x/user-management/users/${user.id}/limits`;
  return limits.filter(({ used, limit }) => used >= limit.limit).map((found) => explainLimit(facts, found, source));
}

function explainLimit(facts: Facts, found: FoundLimit, source: string): Line {
  const { name, used, limit, endsAt, subject } = found;
  const resetsAt = new Date(endsAt).toISOString();
  return {
    check: 'limit',
    status: OF_PROOFS.test(name) || needsMail(facts) ? 'stops' : 'notice',
    reason: limitReason(name),
    message: `${used} of ${limit.limit} attempts of the limit ${name} are used for ${subject}, until ${resetsAt}.`,
    time: resetsAt,
    source,
    changedBy: isLiftable(found) ? 'operator' : 'time',
    remedy: isLiftable(found)
      ? 'Wait, or remove the counted attempts once you know who asks.'
      : 'Wait: the limit protects all accounts from the clients of this network.',
  };
}

/** Radar: what its lists and its recent decisions say. */
export function explainRadar({ risk, events, now, user }: Facts): Line[] {
  const lines: Line[] = [];
  const radar = (members: Omit<Line, 'check'>): void => void lines.push({ check: 'radar', ...members });
  if (risk !== undefined && risk.verdict !== 'allow') {
    radar({
      status: risk.verdict === 'block' ? 'stops' : 'asks',
      reason: risk.verdict === 'block' ? 'radar_listed' : 'radar_challenge',
      message:
        risk.verdict === 'block'
          ? `The block list of Radar has an entry of the type ${risk.blocklistType ?? 'unknown'} that matches.`
          : 'Radar asks for a further code.',
      source: '/radar/lists',
      changedBy: 'environment',
      remedy: 'Remove the entry, or add one to the allow list.',
    });
  }
  const detected = events.find(({ name }) => name === 'authentication.radar_risk_detected');
  const control = typeof detected?.data.control === 'string' ? detected.data.control : 'list';
  if (detected !== undefined && now - Date.parse(detected.at) < DAY_MS && user !== undefined) {
    radar({
      status: 'notice',
      reason: 'radar_risk_detected',
      message: `Radar has found a risk in a recent sign-in (${control}).`,
      time: detected.at,
      source: `/x/events?subject=${user.id}`,
      changedBy: 'environment',
    });
  }
  return lines;
}
