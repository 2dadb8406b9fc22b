import * as z from 'zod';

import { secret } from '../../../kernel/values.ts';
import { KeyContext } from '../object/schema.ts';

/** Maximum length of a blob that is parsed. */
const encryptedKeys = z.string().min(1).max(32_768);

export const CreateDataKey = z.object({ context: KeyContext }).meta({ id: 'CreateDataKeyRequest' });

export const DataKey = z
  .object({
    context: z.record(z.string(), z.string()),
    data_key: secret,
    encrypted_keys: z.string(),
    id: z.string(),
  })
  .meta({ id: 'CreateDataKeyResponse' });

export const DecryptDataKey = z.object({ keys: encryptedKeys }).meta({ id: 'DecryptRequest' });

export const DecryptedDataKey = z.object({ data_key: secret, id: z.string() }).meta({ id: 'DecryptResponse' });

export const RekeyDataKey = z
  .object({ context: KeyContext, encrypted_keys: encryptedKeys })
  .meta({ id: 'RekeyRequest' });
