/**
 * The CRC-32 of a text in UTF-8, with the polynomial of gzip and PNG (RFC 1952 section 8). Node's own function is in `node:zlib`, which takes a
 * twentieth of a cold start to load, and every call with a key needs the checksum of some eighty bytes.
 */
export function crc32(text: string): number {
  let sum = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb88320;
  }
  return ~sum >>> 0;
}
