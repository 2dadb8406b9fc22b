import { settings, type Settings } from '../settings.ts';
import { createEgress, dnsResolver, type Egress } from './egress.ts';
import { settledPolicy } from './policy.ts';

let shared: { of: Settings; egress: Egress } | undefined;

/** The guard of this process, under the policy of its settings. */
export function egress(): Egress {
  const current = settings();
  if (shared?.of !== current) {
    shared?.egress.close();
    const { GATEHOUSE_DNS_SERVER: server } = current;
    shared = {
      of: current,
      egress: createEgress(settledPolicy(), server === '' ? {} : { resolver: dnsResolver([server]) }),
    };
  }
  return shared.egress;
}
