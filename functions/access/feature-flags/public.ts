/** The functions of feature flags for other areas. This file imports no area that imports users or memberships. */
export { findSlugsThatAreOn } from './target/find.ts';
export { exportFlags, exportTargets } from './import/lines.ts';
