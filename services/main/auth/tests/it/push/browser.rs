//! A browser of a test: its keys, and how it reads a push (RFC 8291), written from the text of the RFC
//! and with other code than the sender's.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use rand::RngCore;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sha2::Sha256;
use web_push_native::p256::ecdh::diffie_hellman;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;
use web_push_native::p256::{PublicKey, SecretKey};

pub(crate) struct Browser {
    secret: SecretKey,
    auth: Vec<u8>,
}

impl Browser {
    pub(crate) fn new() -> Self {
        let mut auth = vec![0; 16];
        rand::rng().fill_bytes(&mut auth);
        Self {
            secret: secret_key(),
            auth,
        }
    }

    pub(crate) fn p256dh(&self) -> String {
        let point = self.secret.public_key().to_encoded_point(false);
        URL_SAFE_NO_PAD.encode(point.as_bytes())
    }

    pub(crate) fn auth(&self) -> String {
        URL_SAFE_NO_PAD.encode(&self.auth)
    }

    /// The text of a body with the coding aes128gcm.
    pub(crate) fn read(&self, body: &[u8]) -> Vec<u8> {
        let (salt, rest) = body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        let record_size = u32::from_be_bytes(record_size.try_into().unwrap());
        let (length, rest) = rest.split_at(1);
        let (sender, record) = rest.split_at(length[0].into());
        assert!(record.len() <= usize::try_from(record_size).unwrap());

        let sender_key = PublicKey::from_sec1_bytes(sender).unwrap();
        let shared = diffie_hellman(self.secret.to_nonzero_scalar(), sender_key.as_affine());
        let own = self.secret.public_key().to_encoded_point(false);
        let key_info = [b"WebPush: info\0", own.as_bytes(), sender].concat();
        let ikm = hkdf(&self.auth, shared.raw_secret_bytes(), &key_info, 32);
        let key = hkdf(salt, &ikm, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = hkdf(salt, &ikm, b"Content-Encoding: nonce\0", 12);

        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let mut record = record.to_vec();
        let padded = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let end = padded.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(padded[end], 2, "the delimiter of the last record");
        padded[..end].to_vec()
    }
}

/// HKDF with SHA-256 (RFC 5869), of at most one block.
fn hkdf(salt: &[u8], ikm: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    let mac = |key: &[u8], data: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(data);
        mac.finalize().into_bytes().to_vec()
    };
    let pseudo_random_key = mac(salt, ikm);
    mac(&pseudo_random_key, &[info, &[1]].concat())[..length].to_vec()
}

pub(crate) fn secret_key() -> SecretKey {
    loop {
        let mut bytes = [0; 32];
        rand::rng().fill_bytes(&mut bytes);
        if let Ok(key) = SecretKey::from_slice(&bytes) {
            return key;
        }
    }
}

/// The header and claims of a token that `public_key` has signed with ES256.
pub(crate) fn verified(token: &str, public_key: &[u8]) -> [serde_json::Value; 2] {
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_key)
        .verify(signed.as_bytes(), &signature)
        .unwrap();
    let (header, claims) = signed.split_once('.').unwrap();
    [header, claims].map(|part| {
        let json = URL_SAFE_NO_PAD.decode(part).unwrap();
        serde_json::from_slice(&json).unwrap()
    })
}

/// Appendix A of RFC 8291.
#[test]
fn the_example_of_the_rfc_is_read() {
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let browser = Browser {
        secret: SecretKey::from_slice(&decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
            .unwrap(),
        auth: decode("BTBZMqHH6r4Tts7J_aSIgg"),
    };
    let body = decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
         InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV\
         WGNWQexSgSxsj_Qulcy4a-fN",
    );
    let text = String::from_utf8(browser.read(&body)).unwrap();
    assert_eq!(text, "When I grow up, I want to be a watermelon");
}
