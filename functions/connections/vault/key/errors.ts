import { declareError, type Failure } from '../../../kernel/errors.ts';
import { KeyRejected, SealedValueError } from '../../../kernel/keys/errors.ts';

const destroyed = {
  code: 'organization_key_destroyed',
  message:
    'The organization of this context was deleted, and its key was destroyed. Values that were encrypted with it can ' +
    'never be read again, and no new ones can be encrypted. Delete the object, or use a context without this organization.',
} as const;

const rejections = {
  code: 'customer_key_refused',
  message:
    'The customer-held KMS key of this context cannot be used: it is disabled, deleted, or its policy no longer ' +
    'allows this service. Its owner has to enable the key, and allow this service in its policy again.',
} as const;

const ambiguous = {
  code: 'customer_key_ambiguous',
  message: 'Entries of this context are mapped to different customer-held keys. Map only one of them.',
} as const;

/** Errors when existing values are decrypted. */
const opening = {
  destroyed: declareError({ status: 400, ...destroyed }),
  rejected: declareError({ status: 400, ...rejections }),
  ambiguous: declareError({ status: 400, ...ambiguous }),
  unreadable: declareError({
    status: 400,
    code: 'unreadable',
    message: 'This cannot be decrypted: it was altered, truncated, or encrypted for another context.',
  }),
};

/**
 * The same errors for a context in the request: the request is valid, but the key cannot be used. The contract has 400 for what is
 * stored and 422 for what is sent, so the code says what is wrong and the status where the context comes from.
 */
const sealing = {
  destroyed: declareError({ status: 422, ...destroyed }),
  rejected: declareError({ status: 422, ...rejections }),
  ambiguous: declareError({ status: 422, ...ambiguous }),
};

/** Errors of operations that decrypt stored values. */
export const openingErrors = [opening.destroyed, opening.rejected, opening.unreadable] as const;
/** Errors of operations that encrypt stored values again. */
export const resealingErrors = [opening.destroyed, opening.rejected, opening.ambiguous] as const;
/** Errors of operations that encrypt with the keys of a context in the request. */
export const sealingErrors = [sealing.destroyed, sealing.rejected, sealing.ambiguous] as const;

/** The declared error for each reason why the current operation cannot use a key. An error for any other reason is an internal fault. */
export type KeyFailures = Partial<Record<keyof typeof opening, Failure>>;

type Fail<Errors extends readonly unknown[]> = (error: Errors[number]) => Failure;

/** The messages for {@link openingErrors}. */
export const whileOpening = (fail: Fail<typeof openingErrors>): KeyFailures => ({
  destroyed: fail(opening.destroyed),
  rejected: fail(opening.rejected),
  unreadable: fail(opening.unreadable),
});

/** The messages for {@link resealingErrors}. */
export const whileResealing = (fail: Fail<typeof resealingErrors>): KeyFailures => ({
  destroyed: fail(opening.destroyed),
  rejected: fail(opening.rejected),
  ambiguous: fail(opening.ambiguous),
});

/** The messages for {@link sealingErrors}. */
export const whileSealing = (fail: Fail<typeof sealingErrors>): KeyFailures => ({
  destroyed: fail(sealing.destroyed),
  rejected: fail(sealing.rejected),
  ambiguous: fail(sealing.ambiguous),
});

/** The error for a context whose organization's key is destroyed. */
export class OrganizationKeyDestroyed extends Error {
  override name = 'OrganizationKeyDestroyed';
}

/** The error for a context with two entries that are mapped to different keys. */
export class CustomerKeyAmbiguous extends Error {
  override name = 'CustomerKeyAmbiguous';
}

/**
 * Does work with keys and converts its rejections to declared errors.
 * @param root the KMS key of the work; if KMS rejects the stage's own key, that remains an internal fault
 */
export async function withKeyFailures<T>(failures: KeyFailures, root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = findReason(error, root);
    throw (reason && failures[reason]) ?? error;
  }
}

function findReason(error: unknown, root: string): keyof typeof opening | undefined {
  if (error instanceof OrganizationKeyDestroyed) return 'destroyed';
  if (error instanceof CustomerKeyAmbiguous) return 'ambiguous';
  if (error instanceof SealedValueError) return 'unreadable';
  return error instanceof KeyRejected && root !== '' ? 'rejected' : undefined;
}
