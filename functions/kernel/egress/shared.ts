import { settings, type Settings } from '../settings.ts';
import { createEgress, dnsResolver, type Egress } from './egress.ts';

let shared: { of: Settings; egress: Egress } | undefined;

/** The one way out of this process, under the policy of its settings. */
export function egress(): Egress {
  const current = settings();
  if (shared?.of !== current) {
    shared?.egress.close();
    const { GATEHOUSE_EGRESS_ALLOW: allow, GATEHOUSE_DNS_SERVER: server } = current;
    const policy = { allow, allowHttp: allow.length > 0 ? ('allowed-addresses' as const) : ('never' as const) };
    shared = { of: current, egress: createEgress(policy, server === '' ? {} : { resolver: dnsResolver([server]) }) };
  }
  return shared.egress;
}
