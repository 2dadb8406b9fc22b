/** A value in DynamoDB's form, such as `{ S: 'text' }`. */
export type AttributeValue = Readonly<Record<string, unknown>>;

/** The attributes of a row in DynamoDB's form. */
export type Attributes = Record<string, AttributeValue>;

/**
 * Converts the members of an object to DynamoDB's form; undefined members are left out. It is written by hand because the SDK's
 * converter looks at the name of each value's constructor, which takes three times as long, and is part of every row.
 * @throws TypeError for a value that has no form, such as a Date or NaN
 */
export function encodeAttributes(members: object): Attributes {
  const encoded: Attributes = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && typeof value !== 'function') encoded[name] = encodeValue(value);
  }
  return encoded;
}

function encodeValue(value: unknown): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: encodeNumber(value) };
    case 'boolean':
      return { BOOL: value };
    case 'bigint':
      return { N: value.toString() };
    case 'object':
      return encodeObject(value);
    default:
      throw new TypeError(`DynamoDB stores no ${typeof value}`);
  }
}

function encodeNumber(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw new TypeError(`DynamoDB would not store the number ${value} exactly`);
}

function encodeObject(value: object | null): AttributeValue {
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((item) => item !== undefined).map(encodeValue) };
  if (value instanceof Set) return encodeSet(value);
  if (ArrayBuffer.isView(value)) {
    return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, such as a test's, has another Object.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) throw new TypeError(`DynamoDB stores no ${value.constructor.name}`);
  return { M: encodeAttributes(value) };
}

function encodeSet(set: ReadonlySet<unknown>): AttributeValue {
  const values = [...set];
  if (values.length === 0) throw new TypeError('DynamoDB stores no empty set');
  if (values.every((value) => typeof value === 'string')) return { SS: values };
  if (values.every((value) => typeof value === 'number')) return { NS: values.map(encodeNumber) };
  throw new TypeError('DynamoDB stores sets of texts or of numbers only');
}

/** Converts attributes from DynamoDB's form. */
export function decodeAttributes(attributes: Attributes): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const name in attributes) decoded[name] = decodeValue(attributes[name] as AttributeValue);
  return decoded;
}

/** @throws TypeError for a form that DynamoDB does not have */
function decodeValue(value: AttributeValue): unknown {
  for (const type in value) {
    const content = value[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return content;
      case 'N':
        return decodeNumber(content as string);
      case 'M':
        return decodeAttributes(content as Attributes);
      case 'L':
        return (content as AttributeValue[]).map(decodeValue);
      case 'NULL':
        return null;
      case 'B':
        return new Uint8Array(Buffer.from(content as string, 'base64'));
      case 'SS':
        return new Set(content as string[]);
      case 'NS':
        return new Set((content as string[]).map(decodeNumber));
      case 'BS':
        return new Set((content as string[]).map((bytes) => new Uint8Array(Buffer.from(bytes, 'base64'))));
      default:
        break;
    }
  }
  throw new TypeError(`DynamoDB has no value of the form ${Object.keys(value).join(', ')}`);
}

/** Numbers beyond the exact ones of JavaScript are returned as bigint. */
function decodeNumber(text: string): number | bigint {
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(text) ? number : BigInt(text);
}
