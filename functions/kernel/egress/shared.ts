import { declareError } from '../errors.ts';
import { perSettings } from '../settings.ts';
import { createEgress, dnsResolver, type Egress, EgressError } from './egress.ts';
import { settledPolicy } from './policy.ts';

/** The guard of this process, under the policy of its settings. */
export const egress: () => Egress = perSettings(
  ({ GATEHOUSE_DNS_SERVER: server }) =>
    createEgress(settledPolicy(), server === '' ? {} : { resolver: dnsResolver([server]) }),
  (former) => former.close(),
);

/** Describes why nothing can be sent to a URL; undefined if it can, as far as that is known before its name is resolved. */
export function describeUrlProblem(url: string): string | undefined {
  try {
    egress().checkUrl(url, { fragment: false });
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return error.message;
    throw error;
  }
}

export const invalidUrl = declareError({
  status: 422,
  code: 'invalid_url',
  message:
    'Nothing can be delivered to this endpoint_url. It must be a public https URL without credentials or ' +
    'fragment.',
});
