import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { makeCertificate, toPfx, type Certificate } from '../support/certificates.ts';
import { PersonalSettings } from './personalSettings.ts';
import { Reader } from './reader.ts';
import { storedAuthority } from './storedAuthority.ts';
import { startTlsFront, type TlsFront } from '../support/tlsFront.ts';

/** Such names of the same server cover all routes; a proxy changes nothing, see network.test.ts. */
const ways = { directly: 'localhost', 'as the editor finds it': '0.0.0.0' };

const hosts = Object.values(ways);
const company = makeCertificate({ name: 'Company CA', isAuthority: true });
const unrelated = makeCertificate({ name: 'Unrelated CA', isAuthority: true });
const server = makeCertificate({ name: 'gitlab', issuer: company, hosts });
const expired = makeCertificate({ name: 'gitlab', issuer: company, hosts, isExpired: true });
const elsewhere = makeCertificate({ name: 'gitlab', issuer: company, hosts: ['gitlab.elsewhere.test'] });
const selfSigned = makeCertificate({ name: 'gitlab', hosts: ['gitlab.elsewhere.test'] });
const renewed = makeCertificate({ name: 'gitlab', hosts });
const ada = makeCertificate({ name: 'ada', issuer: company });
const eve = makeCertificate({ name: 'eve', issuer: unrelated });
const lockedKey = createPrivateKey(ada.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 's3cret' })
  .toString();

/**
 * Describes the route to an instance through TLS.
 *
 * @param isInEditor whether by what the editor has for it, or as it is in plain Node: of the direct one alone the authorities that Node
 * has read are another matter in the editor.
 */
export function describeTlsRoutes(isInEditor: boolean): void {
  describe('the route to an instance through TLS', () => {
    let sandbox: Sandbox;
    let folder: string;
    let reader: Reader;
    let front: TlsFront | undefined;
    const settings = new PersonalSettings();

    const file = (name: string): string => join(folder, name);

    before(async () => {
      sandbox = await startSandbox({ anyHost: true });
      folder = mkdtempSync(join(tmpdir(), 'beacon-certificates-'));
      const files: Record<string, string | Buffer> = {
        'company.pem': company.cert,
        'unrelated.pem': unrelated.cert,
        'ada.pem': ada.cert,
        'ada.key': ada.key,
        'ada.locked.key': lockedKey,
        'ada.p12': toPfx(ada, 's3cret'),
        'eve.pem': eve.cert,
        'eve.key': eve.key,
        'notes.txt': 'Nothing of the kind',
      };
      Object.entries(files).forEach(([name, content]) => writeFileSync(file(name), content));
    });
    after(async () => {
      await settings.takeBack();
      await sandbox.close();
    });
    beforeEach(() => {
      reader = new Reader();
    });
    afterEach(async () => {
      reader.dispose();
      await front?.[Symbol.asyncDispose]();
      front = undefined;
    });

    for (const [way, host] of Object.entries(ways)) {
      /** Starts the server, sets what is set for it, and gives its URL. */
      const arrange = async (options: TlsOptions, tls?: Record<string, string>, others = {}): Promise<string> => {
        front = await startTlsFront(Number(new URL(sandbox.url).port), options);
        const instance = `${host}:${front.port}`;
        await settings.use({
          ...others,
          ...(tls ? { 'beacon.tls': { [instance]: tls } } : {}),
        });
        return `https://${instance}`;
      };
      const wants = (certificate: Certificate): TlsOptions => ({
        ...certificate,
        ca: company.cert,
        requestCert: true,
        rejectUnauthorized: true,
      });
      const succeeds = async (options: TlsOptions, tls?: () => Record<string, string>): Promise<void> => {
        const url = await arrange(options, tls?.());
        assert.equal(await reader.read(url, sandbox.tokens.owner), 5);
      };
      const fails = async (
        sentence: RegExp,
        options: TlsOptions,
        tls?: () => Record<string, string>,
        others?: Readonly<Record<string, unknown>>,
      ): Promise<void> => {
        const url = await arrange(options, tls?.(), others);
        assert.match(await reader.failure(url, sandbox.tokens.owner), sentence);
        assert.ok(!reader.logged.join('\n').includes(sandbox.tokens.owner), 'the log holds no token');
      };
      const byCompany = (): Record<string, string> => ({ ca: file('company.pem') });

      describe(way, () => {
        if (isInEditor) {
          it('trusts the authorities of the operating system', () =>
            succeeds(makeCertificate({ name: 'gitlab', issuer: storedAuthority('system'), hosts })));

          it('trusts the authorities in NODE_EXTRA_CA_CERTS', () =>
            succeeds(makeCertificate({ name: 'gitlab', issuer: storedAuthority('extra'), hosts })));

          it('trusts no authorities of the operating system where the editor does not', () =>
            fails(
              /an authority that is not trusted here \(UNABLE_TO/,
              makeCertificate({ name: 'gitlab', issuer: storedAuthority('system'), hosts }),
              undefined,
              { 'http.systemCertificates': false },
            ));
        }
        if (isInEditor === (way === 'directly')) {
          return;
        }
        it('trusts the authority in the setting', () => succeeds(server, byCompany));

        it('names an unknown authority', () => fails(/an authority that is not trusted here \(UNABLE_TO/, server));

        it('names an unknown authority where the setting has another', () =>
          fails(/an authority that is not trusted here/, server, () => ({ ca: file('unrelated.pem') })));

        it('names a self-signed certificate', () => fails(/is self-signed and not trusted/, renewed));

        it('names a certificate that has expired', () => fails(/has expired \(CERT_HAS_EXPIRED\)/, expired, byCompany));

        it('names a certificate for another host', () => fails(/is for another host name/, elsewhere, byCompany));

        it('names what does not speak TLS', async () => {
          const port = Number(new URL(sandbox.url).port);
          await settings.use({});
          assert.match(await reader.failure(`https://${host}:${port}`, sandbox.tokens.owner), /does not speak https/);
        });

        it('shows a client certificate in PEM', () =>
          succeeds(wants(server), () => ({ ...byCompany(), certificate: file('ada.pem'), key: file('ada.key') })));

        for (const [kind, locked, files] of [
          ['PEM whose key is locked', 'ada.locked.key', { certificate: 'ada.pem', key: 'ada.locked.key' }],
          ['PKCS #12', 'ada.p12', { pfx: 'ada.p12' }],
        ] as const) {
          it(`shows a client certificate in ${kind}, once it knows the passphrase`, async () => {
            const paths = Object.fromEntries(Object.entries<string>(files).map(([field, name]) => [field, file(name)]));
            const url = await arrange(wants(server), { ...byCompany(), ...paths });
            const failure = async (): Promise<string> => await reader.failure(url, sandbox.tokens.owner);
            assert.match(await failure(), new RegExp(`${locked}.* needs a passphrase\\.$`));
            await reader.network.passphrases.keep(url, 'wrong');
            assert.match(await failure(), new RegExp(`passphrase for the file .*${locked}.* is wrong`));
            await reader.network.passphrases.keep(url, 's3cret');
            assert.equal(await reader.read(url, sandbox.tokens.owner), 5);
            assert.doesNotMatch(reader.logged.join('\n'), /s3cret/);
          });
        }

        it('says that a client certificate is required', () =>
          fails(/requires a client certificate/, wants(server), byCompany));

        it('says so where TLS 1.2 is spoken', () =>
          fails(/requires a client certificate/, { ...wants(server), maxVersion: 'TLSv1.2' }, byCompany));

        it('says that the client certificate is not accepted', () =>
          fails(/does not accept your client certificate/, wants(server), () => ({
            ...byCompany(),
            certificate: file('eve.pem'),
            key: file('eve.key'),
          })));

        it('trusts a certificate by its fingerprint, by any issuer', () =>
          succeeds(selfSigned, () => ({ fingerprint: selfSigned.fingerprint.toLowerCase() })));

        it('refuses another certificate than that of the fingerprint, and sends nothing', async () => {
          await fails(
            new RegExp(`is not the one that you trust; its fingerprint is ${renewed.fingerprint}`),
            renewed,
            () => ({
              fingerprint: selfSigned.fingerprint,
            }),
          );
          assert.equal(front?.received, 0);
        });

        it('refuses it although its authority is trusted', () =>
          fails(/is not the one that you trust/, server, () => ({
            ...byCompany(),
            fingerprint: selfSigned.fingerprint,
          })));
      });
    }

    if (isInEditor) {
      return;
    }
    const wrongSettings: readonly [string, () => Record<string, string>, RegExp][] = [
      [
        'a file that is not there',
        () => ({ ca: file('gone.pem') }),
        /gone\.pem, set in beacon\.tls for .*, does not exist/,
      ],
      ['a folder', () => ({ ca: folder }), /cannot be read/],
      ['a file without certificates', () => ({ ca: file('notes.txt') }), /notes\.txt.* contains no PEM certificate/],
      [
        'a key in place of a certificate',
        () => ({ certificate: file('ada.key'), key: file('ada.key') }),
        /ada\.key.* contains no PEM certificate/,
      ],
      [
        'a certificate in place of a key',
        () => ({ certificate: file('ada.pem'), key: file('ada.pem') }),
        /ada\.pem.* contains no PEM private key/,
      ],
      [
        'the key of another certificate',
        () => ({ certificate: file('ada.pem'), key: file('eve.key') }),
        /The key .*eve\.key.* does not match the certificate/,
      ],
      ['a certificate without its key', () => ({ certificate: file('ada.pem') }), /has only .*ada\.pem/],
      ['what is not PKCS #12', () => ({ pfx: file('notes.txt') }), /notes\.txt.* is not in PKCS #12 format/],
      ['what is no fingerprint', () => ({ fingerprint: 'AB:CD' }), /fingerprint AB:CD.* is not a SHA-256 one/],
    ];
    for (const [what, tls, sentence] of wrongSettings) {
      it(`says that the setting names ${what}`, async () => {
        await settings.use({ 'beacon.tls': { 'https://gitlab.example.com/': tls() } });
        assert.match(await reader.failure('https://gitlab.example.com', sandbox.tokens.owner), sentence);
      });
    }

    it('takes a setting that is no setting for none', async () => {
      const answering = await startTlsFront(Number(new URL(sandbox.url).port), server);
      front = answering;
      for (const tls of [
        null,
        'x',
        [],
        { [`localhost:${answering.port}`]: null },
        { [`localhost:${answering.port}`]: { ca: 7 } },
      ]) {
        await settings.use({ 'beacon.tls': tls });
        const sentence = await reader.failure(`https://localhost:${answering.port}`, sandbox.tokens.owner);
        assert.match(sentence, /an authority that is not trusted here/);
      }
    });

    it('changes nothing for other instances', async () => {
      front = await startTlsFront(Number(new URL(sandbox.url).port), selfSigned);
      await settings.use({ 'beacon.tls': { 'localhost:1': { fingerprint: selfSigned.fingerprint } } });
      const sentence = await reader.failure(`https://localhost:${front.port}`, sandbox.tokens.owner);
      assert.match(sentence, /is self-signed/);
      assert.equal(process.env['NODE_TLS_REJECT_UNAUTHORIZED'], undefined);
    });
  });
}
