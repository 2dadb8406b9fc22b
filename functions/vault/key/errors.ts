import { declareError, type Failure } from '../../kernel/errors.ts';
import { KeyRefused, SealedValueError } from '../../kernel/keys/errors.ts';

export const organizationKeyDestroyed = declareError({
  status: 400,
  code: 'organization_key_destroyed',
  message:
    'The organization of this context was deleted and its key destroyed. What was sealed under it cannot be read any ' +
    'more, and nothing can be sealed under it.',
});

export const customerKeyRefused = declareError({
  status: 400,
  code: 'customer_key_refused',
  message:
    'The customer-held KMS key of this context refuses to be used: it is disabled, deleted, or its policy no longer ' +
    'admits this service. Its holder has to allow it again.',
});

export const customerKeyAmbiguous = declareError({
  status: 400,
  code: 'customer_key_ambiguous',
  message: 'Entries of this context are mapped to different customer-held keys. Map one of them alone.',
});

export const unreadable = declareError({
  status: 400,
  code: 'unreadable',
  message: 'This cannot be read here: it was altered, cut, or sealed for something else.',
});

export const keyErrors = [organizationKeyDestroyed, customerKeyRefused, customerKeyAmbiguous, unreadable] as const;

/** A handler's way to refuse with one of {@link keyErrors}. */
export type RefuseKey = (error: (typeof keyErrors)[number]) => Failure;

/** The key of a context's organization is destroyed. */
export class OrganizationKeyDestroyed extends Error {
  override name = 'OrganizationKeyDestroyed';
}

/** Two entries of a context name different keys. */
export class CustomerKeyAmbiguous extends Error {
  override name = 'CustomerKeyAmbiguous';
}

/**
 * Does work with keys and words its refusals.
 * @param root The KMS key of the work; that the stage's own refuses is a fault and stays one
 */
export async function withRefusals<T>(refuse: RefuseKey, root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OrganizationKeyDestroyed) throw refuse(organizationKeyDestroyed);
    if (error instanceof CustomerKeyAmbiguous) throw refuse(customerKeyAmbiguous);
    if (error instanceof SealedValueError) throw refuse(unreadable);
    if (error instanceof KeyRefused && root !== '') throw refuse(customerKeyRefused);
    throw error;
  }
}
