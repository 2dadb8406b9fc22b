import { settings } from '../settings.ts';
import { addressRules } from './addresses.ts';
import type { EgressPolicy } from './egress.ts';
import { checkUrl } from './url.ts';

/** What this deployment allows, by its settings. */
export function settledPolicy(): EgressPolicy {
  const { GATEHOUSE_EGRESS_ALLOW: allow } = settings();
  return { allow, allowHttp: allow.length > 0 ? 'allowed-addresses' : 'never' };
}

/**
 * Checks a URL for the moment it is saved, as far as possible without resolving it; a fragment, which its receiver would
 * never see, is refused. For functions that save addresses and leave the calls to a worker: it does not carry the way out.
 * @throws EgressError `invalid_url`, `scheme_refused`, `userinfo_refused`, `address_refused`
 */
export function checkSavedUrl(url: string): URL {
  const { allow, allowHttp } = settledPolicy();
  return checkUrl(url, { addresses: addressRules(allow), allowHttp }, false);
}
