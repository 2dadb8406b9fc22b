const KIB = 1_024;
const MIB = 1_024 * KIB;

/** DynamoDB's limits, which no request raises (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). */
export const limits = {
  /** The size of an item in bytes, with the names of its attributes. */
  itemBytes: 400 * KIB,
  /** The sizes of the values of keys in bytes, of the table and of its indexes. */
  partitionKeyBytes: 2_048,
  sortKeyBytes: 1_024,
  /** Levels of nested maps and lists, the attribute itself included. */
  levels: 32,
  /** Significant digits of a number. */
  digits: 38,
  /** The size of an expression in bytes, before its placeholders are replaced. */
  expressionBytes: 4 * KIB,
  /** Operators and functions of an expression, and operands of `IN`. */
  operators: 300,
  inOperands: 100,
  /** The size of one placeholder, and of all names and values that placeholders represent, in bytes. */
  placeholderBytes: 255,
  substitutionBytes: 2 * MIB,
  /** Items that a Query or Scan reads for a page, in bytes, before its filter. */
  pageBytes: MIB,
  transactionItems: 100,
  transactionBytes: 4 * MIB,
  /** The length of a ClientRequestToken, and the time in ms for which it is known. */
  tokenLength: 36,
  tokenMs: 10 * 60_000,
  batchGetItems: 100,
  batchGetBytes: 16 * MIB,
  batchWriteItems: 25,
  batchWriteBytes: 16 * MIB,
  /** Records of one read of a stream, and the time in ms for which they are kept. */
  streamRecords: 1_000,
  streamMs: 24 * 3_600_000,
} as const;
