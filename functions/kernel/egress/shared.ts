import { perSettings } from '../settings.ts';
import { createEgress, dnsResolver, type Egress } from './egress.ts';
import { settledPolicy } from './policy.ts';

/** The guard of this process, under the policy of its settings. */
export const egress: () => Egress = perSettings(
  ({ GATEHOUSE_DNS_SERVER: server }) =>
    createEgress(settledPolicy(), server === '' ? {} : { resolver: dnsResolver([server]) }),
  (former) => former.close(),
);
