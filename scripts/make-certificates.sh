#!/bin/sh
# Makes a CA for this purpose alone and a certificate for each SERVICE, in the layout that compose.yaml mounts.
# Usage: make-certificates.sh FOLDER SERVICE=NAME... (engine=engine broker=broker ledger=ledger app=aspectra)
# The CA's own key, ca-key.pem, is needed for renewal only: take it off the host.
set -eu
umask 077

folder=${1:?the folder for the certificates}
shift
mkdir -p "$folder"
chmod 0755 "$folder"
cd "$folder"

if [ ! -e ca.pem ]; then
    openssl req -x509 -newkey rsa:3072 -nodes -days 1825 -subj "/CN=Aspectra CA" \
        -addext "basicConstraints=critical,CA:true" -addext "keyUsage=critical,keyCertSign,cRLSign" \
        -keyout ca-key.pem -out ca.pem 2>/dev/null
    chmod 0644 ca.pem
fi

for pair in "$@"; do
    service=${pair%%=*} name=${pair#*=}
    openssl req -newkey rsa:3072 -nodes -subj "/CN=$name" -keyout "$service-key.pem" -out "$service.csr" 2>/dev/null
    printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$name" > "$service.ext"
    openssl x509 -req -in "$service.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 397 \
        -extfile "$service.ext" -out "$service.pem" 2>/dev/null
    rm "$service.csr" "$service.ext"
    chmod 0644 "$service.pem"
    chmod 0400 "$service-key.pem"
    # The users that the images run as; anybody else than root gives the keys to them by hand.
    if [ "$(id -u)" -eq 0 ]; then
        case $service in
            engine) chown 1000 "$service-key.pem" ;;
            broker | ledger) chown 999 "$service-key.pem" ;;
            app) chown 10001 "$service-key.pem" ;;
        esac
    fi
done
