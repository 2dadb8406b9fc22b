import { log } from '../log.ts';
import { count } from '../metrics.ts';

/** Bytes of the claim as JSON. With more, and the permissions of a token, it would not fit into the headers of requests. */
export const MAX_FEATURE_FLAGS_CLAIM_BYTES = 1_024;

/** The claims of a token about feature flags. */
export interface FeatureFlagsClaim {
  feature_flags?: readonly string[];
  /** Present, and true, in place of feature flags that take too many bytes. */
  feature_flags_omitted?: true;
}

/**
 * The feature flags of a token: all of them or none, since a flag that is missing would read as off. Where their slugs take more
 * than 1,024 bytes as JSON, `feature_flags_omitted` is in their place, which is logged and counted; no sign-in fails for it.
 */
export function featureFlagsClaim(slugs: readonly string[]): FeatureFlagsClaim {
  const bytes = Buffer.byteLength(JSON.stringify(slugs));
  if (bytes <= MAX_FEATURE_FLAGS_CLAIM_BYTES) return slugs.length === 0 ? {} : { feature_flags: slugs };
  log.warn('a token leaves the feature flags out', { flags: slugs.length, bytes });
  count({ feature_flags_omitted: { value: 1, unit: 'Count' } });
  return { feature_flags_omitted: true };
}
