import { log } from '../log.ts';
import { count } from '../metrics.ts';

/**
 * Maximum bytes of the claim as JSON. A larger one would, together with the permissions, not fit into the headers of
 * requests.
 */
const MAX_FEATURE_FLAGS_CLAIM_BYTES = 1_024;

/** The claims of a token about feature flags. */
export interface FeatureFlagsClaim {
  feature_flags?: readonly string[];
  /** Present and true if the feature flags are omitted because they take too many bytes. */
  feature_flags_omitted?: true;
}

/**
 * The feature flags of a token: all of them or none, since a missing flag would count as off. If their slugs take more than
 * 1,024 bytes as JSON, the token has `feature_flags_omitted` instead, which is logged and counted; no sign-in fails because
 * of it.
 */
export function featureFlagsClaim(slugs: readonly string[]): FeatureFlagsClaim {
  const bytes = Buffer.byteLength(JSON.stringify(slugs));
  if (bytes <= MAX_FEATURE_FLAGS_CLAIM_BYTES) return slugs.length === 0 ? {} : { feature_flags: slugs };
  log.warn('a token leaves the feature flags out', { flags: slugs.length, bytes });
  count({ feature_flags_omitted: { value: 1, unit: 'Count' } });
  return { feature_flags_omitted: true };
}
