import { settings } from '../settings.ts';
import { addressRules } from './addresses.ts';
import type { EgressPolicy } from './egress.ts';
import { checkUrl } from './url.ts';

/** The exemptions of this deployment, from its settings. */
export function settledPolicy(): EgressPolicy {
  const { GATEHOUSE_EGRESS_ALLOW: allow } = settings();
  return { allow, allowHttp: allow.length > 0 ? 'allowed-addresses' : 'never' };
}

/**
 * Checks a URL without resolving it, before it is saved; a fragment, which its receiver would never see, is rejected.
 * For functions that save addresses and leave the calls to a worker: it does not load the HTTP client.
 * @throws EgressError `invalid_url`, `scheme_refused`, `userinfo_refused`, `address_refused`
 */
export function checkSavedUrl(url: string): URL {
  const { allow, allowHttp } = settledPolicy();
  return checkUrl(url, { addresses: addressRules(allow), allowHttp }, false);
}
