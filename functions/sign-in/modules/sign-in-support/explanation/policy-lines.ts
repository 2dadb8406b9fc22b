import { DAY_MS } from '../../../../kernel/durations.ts';
import type { OrganizationSso } from '../../../../tenancy/modules/organization-sso/public.ts';
import { allSso, type Facts } from './facts.ts';
import type { Line } from './line.ts';

const line = (members: Omit<Line, 'check'>): Line => ({ check: 'policy', ...members });

/** Single sign-on: who requires it, whether its connection works, and the person's attempts at it. */
export function explainPolicy(facts: Facts): Line[] {
  const lines = allSso(facts).flatMap((sso) => explainOrganization(facts, sso));
  return [...lines, ...explainAttempts(facts)];
}

function explainOrganization(facts: Facts, { organizationId, connections, policy }: OrganizationSso): Line[] {
  const working = connections.filter(({ state }) => state === 'active');
  const lapsed = connections.filter(({ hasLapsed }) => hasLapsed === true);
  const isByDomain = facts.domainSso?.organizationId === organizationId;
  const [connection] = [...working, ...lapsed];
  if (connection === undefined) {
    const [inactive] = connections;
    if (inactive === undefined) return [];
    return [
      line({
        status: 'notice',
        reason: 'connection_inactive',
        message: `The connection “${inactive.name}” of ${organizationId} is ${inactive.state}: no user signs in through it.`,
        source: `/connections/${inactive.id}`,
        changedBy: 'organization_admin',
        remedy: 'Activate the connection.',
      }),
    ];
  }
  if (working.length === 0) {
    return [
      line({
        status: policy.required ? 'stops' : 'notice',
        reason: 'connection_certificates_expired',
        message: `All certificates of the connection “${connection.name}” have expired: its responses are rejected.`,
        source: `/connections/${connection.id}`,
        changedBy: 'organization_admin',
        remedy: 'Add the current certificate of the identity provider to the connection.',
      }),
    ];
  }
  if (!policy.required) return [];
  return [
    line({
      status: 'asks',
      reason: isByDomain ? 'sso_required_by_domain' : 'sso_required_by_organization',
      message: isByDomain
        ? `The domain of the address belongs to ${organizationId}, which requires single sign-on through “${connection.name}”: other methods are rejected.`
        : `${organizationId} requires single sign-on through “${connection.name}” of its members: other methods do not enter it.`,
      source: `/connections/${connection.id}`,
      changedBy: 'organization_admin',
      remedy: 'Sign in through the connection, with the account that the person has there.',
    }),
  ];
}

/** The latest attempt at each connection, if it did not succeed. */
function explainAttempts({ attempts, now }: Facts): Line[] {
  const latest = new Map(attempts.toReversed().map((attempt) => [attempt.connectionId, attempt]));
  return [...latest.values()].flatMap(({ id, connectionId, outcome, error, createdAt }) => {
    const isRecent = now - Date.parse(createdAt) < DAY_MS;
    if (outcome === 'succeeded' || !isRecent) return [];
    const source = `/x/connections/${connectionId}/attempts/${id}`;
    if (outcome === 'pending') {
      return [
        line({
          status: 'notice',
          reason: 'sso_attempt_pending',
          message: 'The identity provider has responded, and the browser did not continue.',
          time: createdAt,
          source,
          changedBy: 'user',
          remedy: 'Try again in one browser window, with cookies allowed.',
        }),
      ];
    }
    return [
      line({
        status: 'stops',
        reason: 'sso_attempt_failed',
        message: `The last response of the identity provider was rejected (${error?.code ?? 'unknown'}): ${error?.message ?? ''}`,
        time: createdAt,
        source,
        changedBy: 'identity_provider',
        remedy: 'Follow the failed check of the attempt.',
      }),
    ];
  });
}
