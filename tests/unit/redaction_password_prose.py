"""Clean lines about passwords: what people write of them without telling one.

Written before the patterns that they measure. The patterns were made with an eye on SEEN alone;
HELD_OUT is what was kept aside for the measure.
"""

from __future__ import annotations

SEEN = tuple(
    """\
the password field is required
the password is hashed with argon2
The password is now hashed with argon2id instead of bcrypt
the password is stored in the vault
The password is now stored in 1Password, under staging
reset the password with `satchel users reset`
reset the password with passwd before you log in
change the password with ALTER USER after the import
the password is too short
The password is never logged
the password was rotated on Friday
Password is case sensitive
the password is invalid
The password is wrong or has expired
the password is optional for local accounts
the password is now optional
the password is now required for every role
The new password is compared with the last five
the new password is rejected without a reason
the admin password is set by the installer
the root password is empty in the development image
the database password is read from the environment
The database password is generated at the first start
the password was leaked, so rotate it
the password is a secret, do not print it
the password is the same on staging and production
the password is unknown to the application
the password is encrypted at rest
the password is plaintext in the old table
the password is unchanged after a migration
the password is masked in the log
pw: required
pw: see the vault
pw is hashed
the pw is in the vault
pw reset works again
pw hash: argon2id
login with SSO
login with Google
login with your e-mail and password
log in with admin / password field left empty
login with username / password
log in with user / password
sign in with email / password
Log in with the CLI / browser flow
login with GitHub / GitLab
login as admin / editor / viewer
login with admin rights
you can log in with key / certificate
username / password authentication is off
user / password login is disabled
credentials: see the wiki
the credentials are in the vault
the credentials are wrong
credentials are read from ~/.aws/credentials
use the username / password from the environment
connect as app / readonly
password: string
password: str = Field(min_length=12)
password: Optional[str] = None
password?: string
"password": "string"
"password": "required"
"password": "password"
{"username": "string", "password": "string"}
{"type": "password", "name": "password"}
{"password": {"type": "string", "minLength": 12}}
"password": "is too short"
{"password": ["This field is required."]}
{"password": null}
"password": "hashed"
"passwordPolicy": "strict"
{"label": "Password", "placeholder": "Password"}
"password": "Passwort"
"password": "Mot de passe"
{"en": {"password": "Password"}, "de": {"password": "Kennwort"}}
"forgot_password": "Forgotten"
"password_hint": "favourite"
"passwordField": "visible"
{"error": "password", "code": "invalid"}
"authentication": {"password": "disabled"}
"password": "optional", "token": "optional"
"pwd": "/home/app"
Pwd=$DB_PASSWORD
Server=db;Database=shop;Uid=app;Pwd=${DB_PASSWORD};
Server=db;Database=shop;Uid=app;Pwd={password};
Server=db;Database=shop;User Id=app;Password=<password>;
Pwd=%PASSWORD%;
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
kubectl create secret generic db --from-literal=username=admin
kubectl create secret generic db --from-file=password=./password.txt
kubectl create secret generic db --from-literal=password="$(cat password.txt)"
kubectl create configmap db --from-literal=mode=production
helm upgrade shop ./chart --set replicas=3
helm upgrade shop ./chart --set auth.password=$PASSWORD
helm install db bitnami/postgresql --set auth.existingSecret=db-credentials
helm install shop ./chart --set image.tag=latest,service.type=ClusterIP
terraform apply -var region=eu-central-1
terraform plan -var "db_password=${TF_VAR_db_password}"
terraform apply -var-file=secrets.tfvars
ansible-playbook site.yml -e env=staging
ansible-playbook site.yml -e ansible_password={{ vault_password }}
ansible-playbook site.yml --ask-become-pass
ansible-playbook site.yml -e ansible_user=deploy
ENV NODE_ENV production
ENV DB_PASSWORD_FILE /run/secrets/db_password
ENV PASSWORD_MIN_LENGTH 12
ENV DB_PASSWORD $DB_PASSWORD
ENV PATH /usr/local/bin:$PATH
ENV TOKEN_TTL 3600
curl -b cookies.txt https://example.org
curl -c jar.txt -b jar.txt https://example.org/login
curl --cookie "$COOKIE" https://example.org
curl --cookie-jar jar.txt https://example.org
curl -b theme=dark https://example.org
sqlplus /nolog
sqlplus / as sysdba
sqlplus app@shop
sqlplus app/$DB_PASSWORD@shop
sqlplus user/password@host:1521/service
sqlplus <user>/<password>@<host>
APP_KEY=
APP_KEY=base64:
APP_KEY=${APP_KEY}
APP_KEY is set with php artisan key:generate
run php artisan key:generate to fill APP_KEY
APP_NAME=shop
localhost:5432:shop:app:*
example.org:443:open:tcp:filtered
https://user:password@example.org/
https://user:pass@example.org/
https://<user>:<password>@example.org/
http://localhost:3000/login?next=%2Fadmin
https://example.org/a%40b?c=d%2Fe
WIFI:T:WPA;S:<ssid>;P:<password>;;
WIFI:T:nopass;S:Guest;;
the WIFI: format takes T, S and P
machine example.org login ann
the .netrc has a machine, a login and a password line
the kaggle.json lies in ~/.kaggle
{"username": "ann", "key": "value"}
put kaggle.json into ~/.kaggle and chmod 600
the password for staging comes from Vault
the password for the test user comes from the fixture
use the password of the fixture user
the user's password is validated on the server
ask Ann for the password
password reset mails are sent by the worker
password rotation is a quarterly task
the password prompt is shown twice
password hashing takes 80 ms on the runner
the password check is in auth/check.py
never put the password into the URL
a password of twelve characters is enough
credentials: host:port
login: db.internal:5432
login is on localhost:8080
credentials: username:password
creds are user:pass
credentials: vault:kv/prod
credentials: env:AWS_PROFILE
credentials: aws:assume-role
basic auth is user:password
basic auth: see docs/auth.md
basic auth is off: use tokens
the login is src/auth/login.py
login with github / oauth2
login: key: value
login page / v2
user / account model2
user bob has role admin2
the user sets password argon2id
[redacted:aws-access-key-id] / src/satchel/core/redaction/beside_ids.py
commit 3f786850e387550fdab836ed7e6dc881de23001b of [redacted:aws-access-key-id]
creds: none:required""".split("\n")  # noqa: SIM905
)

HELD_OUT = tuple(
    """\
the password column is nullable
The password is salted and peppered
the password is now a passphrase of four words
the password is derived from the device id
the password is kept in the keyring
The password is now kept in AWS Secrets Manager
set the password with \\password in psql
update the password with bin/set-password
generate the password with openssl and store it
the password is hidden by default
The password is compared in constant time
the password was changed by the owner
Password is mandatory
the password is expired
The password is blank on first login
the password is not checked in development
the password is now validated twice
the password is now ignored when SSO is on
The old password is asked for once more
the old password is accepted for a day
the service password is injected by the operator
the redis password is missing in the chart
the smtp password is mounted as a file
The smtp password is passed by the sidecar
the password was missing from the secret
the password is personal, so share accounts with delegation
the password is identical in both clusters
the password is visible to every reader
the password is scrubbed from events
the password is base64 in the manifest
the password is untouched by the upgrade
the password is truncated at 72 bytes by bcrypt
pw: optional
pw: ask ops
pw is salted
the pw is on the sticky note
pw change needs a restart
pw policy: strict
login with passkeys
login with LDAP
login with the service account
log in with root / without a terminal
login with e-mail / phone
log in with name / password
sign in with token / password
Log in with Okta / Entra
login with OAuth / OIDC
login as guest / member / owner
login with write access
you can log in with password / hardware key
email / password sign-up is closed
name / password pairs are kept in the vault
credentials: rotated in May
the credentials are shared by the team
the credentials are stale
credentials are loaded from the profile
take the user / password from the keychain
connect as reader / writer
password: text
password: str | None = None
password: SecretStr
password!: string;
"password": "text"
"password": "missing"
"password": "secret"
{"email": "string", "password": "string", "remember": "boolean"}
{"kind": "password", "id": "current-password"}
{"password": {"description": "At least twelve characters"}}
"password": "does not match"
{"password": ["Too common."]}
{"password": ""}
"password": "encrypted"
"passwordStrength": "weak"
{"label": "Passphrase", "autocomplete": "current-password"}
"password": "Contraseña"
"password": "Wachtwoord"
{"fr": {"password": "Mot de passe"}, "es": {"password": "Clave"}}
"reset_password": "Reset"
"password_rule": "default"
"passwordInput": "hidden"
{"field": "password", "reason": "missing"}
"methods": {"password": "enabled"}
"password": "unchanged", "email": "changed"
"pwd": "/srv/shop"
Pwd=$PASSWORD
Driver={ODBC};Server=db;Uid=reader;Pwd=${READER_PASSWORD};
Server=db;Database=shop;Uid=app;Pwd=[password];
Data Source=db;User Id=app;Password={0};
Pwd=%(password)s;
kubectl create secret generic api --from-literal=token=$API_TOKEN
kubectl create secret generic api --from-literal=host=db.internal
kubectl create secret generic api --from-env-file=.env
kubectl create secret docker-registry hub --docker-password=$TOKEN
kubectl get secret db -o jsonpath={.data.password}
helm upgrade api ./chart --set debug=true
helm upgrade api ./chart --set db.password=${DB_PASSWORD}
helm install cache bitnami/redis --set auth.enabled=false
helm template api ./chart --set ingress.host=example.org
terraform apply -var instance_count=2
terraform plan -var "token=$TOKEN"
terraform import -var-file=prod.tfvars module.db.this db
ansible-playbook db.yml -e version=16
ansible-playbook db.yml -e ansible_become_password="{{ lookup('env', 'PW') }}"
ansible-playbook db.yml --vault-password-file ~/.vault
ansible all -m ping -e ansible_connection=local
ENV PYTHONUNBUFFERED 1
ENV REDIS_PASSWORD_FILE /run/secrets/redis
ENV PASSWORD_HASHERS argon2
ENV API_TOKEN ${API_TOKEN}
ENV LANG C.UTF-8
ENV SECRET_BACKEND vault
curl -b jar https://example.org/api
curl -sL -b /tmp/cookies https://example.org
curl --cookie $SESSION_COOKIE https://example.org
curl --cookie-jar - https://example.org
curl -b lang=en https://example.org
sqlplus -v
sqlplus sys as sysdba
sqlplus reader@//db:1521/shop
sqlplus reader/${READER_PW}@shop
sqlplus scott/password@localhost
sqlplus USER/PASSWORD@DB
APP_KEY=null
APP_KEY=base64:...
APP_KEY=$(php artisan key:generate --show)
APP_KEY belongs into the secret store
rotate APP_KEY and sign everybody out
APP_URL=http://localhost
db.internal:5432:*:reader:$PGPASSWORD
db.internal:5432:shop:read:write
https://name:password@host.example.org/path
ftp://anonymous:anonymous@example.org/
https://[user]:[password]@example.org/
http://localhost:8000/?redirect=%2Fhome%2Fann
https://example.org/%7Eann/%E2%82%AC
WIFI:T:WPA;S:{ssid};P:{password};;
WIFI:S:Lobby;T:nopass;P:;;
a WIFI: code is printed for guests
machine github.com login deploy
netrc is read by curl and by git
kaggle.json must not be world-readable
{"username": "bob", "key": "name"}
download kaggle.json from the account page
the password for preview deployments comes from the pipeline
the password of the demo user is random for each build
do not reuse the password of another account
the users' passwords are checked by the identity provider
Bob knows the password
password managers fill the form in
password expiry was turned off by policy
the password box loses focus
password verification is the slow part
the password rules are in auth/rules.py
do not send the password by mail
a password of eight characters is refused
credentials: scope:repo
creds come from op:vault
credentials are checked: twice
log in as admin:true
sign in with SSO / SAML2
logged in as ann / editor
the login is at auth.internal:8443
basic auth: realm:staging, 401 on failure
basic auth for http://proxy:3128 is missing
basic auth is done in nginx:alpine
login: redis:6379
account name / password2
user model / profile2
user story with password field
users with password hashes of sha256
creds file: ~/.aws/credentials
credentials: include
credentials: same-origin
s3://bucket/AKIA/2024/01/02/part-00000-aBcDeFgHiJkLmNoPqRsTuV1234.parquet""".split("\n")  # noqa: SIM905
)
