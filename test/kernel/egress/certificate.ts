import { generateKeyPairSync, sign } from 'node:crypto';

/** One element in Distinguished Encoding Rules (X.690): a tag, a length, the content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const utcTime = (time: number) => {
  const [date = ''] = new Date(time).toISOString().split('.');
  return der(0x17, Buffer.from(`${date.replace(/[-:T]/g, '').slice(2)}Z`));
};
/** The OIDs ecdsa-with-SHA256 (RFC 5758), commonName, subjectAltName and basicConstraints (RFC 5280). */
const ecdsaSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = der(0x06, Buffer.from('550403', 'hex'));
const subjectAltName = der(0x06, Buffer.from('551d11', 'hex'));
const basicConstraints = der(0x06, Buffer.from('551d13', 'hex'));

/** A self-signed certificate for one DNS name, valid for an hour around now, so that none is committed and none expires. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const names = sequence(der(0x82, Buffer.from(name)));
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(subjectAltName, der(0x04, names)),
    sequence(basicConstraints, der(0x04, authority)),
  );
  const certificate = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaSha256,
    subject,
    sequence(utcTime(Date.now() - 1_800_000), utcTime(Date.now() + 1_800_000)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certificate, privateKey));
  const body = sequence(certificate, ecdsaSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}
