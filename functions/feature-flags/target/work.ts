import { workKind } from '../../kernel/storage/work.ts';

/** The removal of the targets of a deleted flag. */
export const flagRemoval = workKind<{ flagId: string }>('feature-flags.remove-targets');
