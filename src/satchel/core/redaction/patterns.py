"""The table of known secret formats; secrets recognized by their surroundings are in `contexts`.

A row of TOKENS is (kind, anchors, shortest, expression). An anchor is the literal start of the
secret; the expression is matched at each anchor, and `shortest` is how many non-space characters
must follow, checked before anything is compiled.

A row of TAILED is (kind, anchors, expression, letters, least, most): the secret starts before its
anchor, with `least` to `most` characters of `letters`.

So that no input can make matching slow, an expression has no unbounded part before a required one.
Rows are ordered: where two overlap, the earlier one names the kind.
"""

UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
#: After a prefix that a name in code may also have; such names have no capitals.
_MIXED = r"(?=\w{0,40}[A-Z])"

TOKENS: tuple[tuple[str, tuple[str, ...], int, str], ...] = (
    ("anthropic-key", ("sk-ant-",), 27, r"sk-ant-[\w-]{20,}"),
    ("openrouter-key", ("sk-or-v1-",), 29, r"sk-or-v1-[\w-]{20,}"),
    (
        "openai-key",
        ("sk-",),
        24,
        r"sk-(?:proj|svcacct|admin|None|lf)-[\w-]{20,}|sk-[A-Za-z0-9]{32,}",
    ),
    ("aws-access-key-id", ("AKIA", "ASIA", "ABIA", "ACCA"), 20, r"A[A-Z]{3}[A-Z0-9]{16}(?!\w)"),
    ("aws-bedrock-key", ("ABSK",), 104, r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    ("github-token", ("github_pat_",), 33, r"github_pat_\w{22,}"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), 34, r"gh[pousr]_[A-Za-z0-9_]{30,}"),
    (
        "gitlab-token",
        (
            *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "gloas-"),
            *("glsoat-", "glagent-", "glffct-"),
        ),
        24,
        r"gl[a-z]{2,6}-[\w.-]{18,}",
    ),
    (
        "slack-token",
        ("xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xoxe", "xoxc-", "xoxd-", "xapp-"),
        20,
        r"x(?:ox[a-z](?:\.xox[a-z])?|app)-(?=[\w%+/=-]{0,60}\d)[\w%+/=-]{14,}",
    ),
    ("google-api-key", ("AIza",), 39, r"AIza[\w-]{35,}"),
    ("google-oauth-secret", ("GOCSPX-",), 27, r"GOCSPX-[\w-]{20,}"),
    ("google-oauth-token", ("ya29.",), 25, r"ya29\.[\w.-]{20,}"),
    ("google-refresh-token", ("1//0",), 40, r"1//0[\w-]{36,}"),
    (
        "stripe-key",
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"),
        24,
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9_]{16,}",
    ),
    ("stripe-webhook-secret", ("whsec_",), 30, r"whsec_[A-Za-z0-9+/=]{24,}"),
    ("twilio-key", ("SK", "AC"), 34, r"(?:SK|AC)[0-9a-f]{32}(?!\w)"),
    ("sendgrid-key", ("SG.",), 50, r"SG\.[\w.-]{47,}"),
    ("sendinblue-key", ("xkeysib-",), 40, r"xkeysib-[\w-]{32,}"),
    ("mailgun-key", ("key-",), 36, r"key-[0-9a-f]{32}(?!\w)"),
    ("npm-token", ("npm_",), 40, r"npm_[A-Za-z0-9]{36,}"),
    ("pypi-token", ("pypi-AgE",), 50, r"pypi-AgE[\w-]{42,}"),
    ("hugging-face-token", ("hf_", "api_org_"), 33, r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), 47, r"do[por]_v1_[0-9a-f]{40,}"),
    (
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
        38,
        r"shp[a-z]{2,3}_[0-9a-fA-F]{32,}",
    ),
    ("square-token", ("sq0atp-", "sq0csp-", "sq0idp-"), 29, r"sq0[a-z]{3}-[\w-]{22,}"),
    ("square-token", ("EAAA",), 60, r"EAAA[\w-]{56,}"),
    ("facebook-token", ("EAA",), 80, r"EAA[A-Za-z0-9]{77,}"),
    ("databricks-token", ("dapi",), 36, r"dapi[0-9a-f]{32}(?:-\d)?(?!\w)"),
    (
        "doppler-token",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
        38,
        r"dp\.[a-z]{2,5}\.[\w.-]{32,}",
    ),
    ("linear-key", ("lin_api_", "lin_oauth_"), 40, r"lin_[a-z]{3,5}_[A-Za-z0-9]{30,}"),
    ("notion-token", ("ntn_", "secret_"), 44, r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), 28, r"hv[sbr]\.[\w-]{24,}"),
    ("new-relic-key", ("NRAK-", "NRJS-", "NRII-", "NRRA-", "NRIQ-"), 24, r"NR[A-Z]{2}-[\w-]{19,}"),
    ("sentry-token", ("sntrys_", "sntryu_"), 40, r"sntry[su]_[\w+/=-]{33,}"),
    ("grafana-token", ("glsa_", "glc_"), 36, r"gl(?:sa|c)_[\w+/=-]{31,}"),
    ("atlassian-token", ("ATATT3", "ATCTT3", "ATBB"), 28, r"AT(?:[AC]TT3|BB)[\w=-]{24,}"),
    ("figma-token", ("figd_", "figo_"), 40, r"fig[do]_[\w-]{35,}"),
    (
        "planetscale-token",
        ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
        40,
        r"pscale_[\w.-]{33,}",
    ),
    ("postman-key", ("PMAK-",), 50, r"PMAK-[0-9a-f-]{45,}"),
    ("pulumi-token", ("pul-",), 44, r"pul-[0-9a-f]{40,}"),
    ("rubygems-key", ("rubygems_",), 41, r"rubygems_[0-9a-f]{32,}"),
    ("supabase-key", ("sbp_", "sb_secret_"), 30, r"sb(?:p|_secret)_[\w-]{20,}"),
    ("tailscale-key", ("tskey-",), 30, r"tskey-[\w-]{24,}"),
    ("replicate-token", ("r8_",), 38, r"r8_[A-Za-z0-9]{35,}"),
    ("groq-key", ("gsk_",), 44, r"gsk_[A-Za-z0-9]{40,}"),
    ("xai-key", ("xai-",), 64, r"xai-[A-Za-z0-9]{60,}"),
    ("perplexity-key", ("pplx-",), 37, r"pplx-[A-Za-z0-9]{32,}"),
    ("langsmith-key", ("lsv2_pt_", "lsv2_sk_"), 40, r"lsv2_(?:pt|sk)_[0-9a-f_]{32,}"),
    ("pinecone-key", ("pcsk_",), 45, r"pcsk_\w{40,}"),
    ("tavily-key", ("tvly-",), 30, r"tvly-[\w-]{25,}"),
    ("docker-token", ("dckr_pat_", "dckr_oat_"), 32, r"dckr_[po]at_[\w-]{23,}"),
    ("dynatrace-token", ("dt0c01.", "dt0s01."), 60, r"dt0[cs]01\.[A-Z0-9.]{53,}"),
    ("fly-token", ("fm1_", "fm2_", "fo1_"), 40, r"f[mo][12]_[\w+/=,-]{36,}"),
    ("1password-token", ("ops_eyJ",), 100, r"ops_eyJ[\w+/=-]{93,}"),
    ("openshift-token", ("sha256~",), 50, r"sha256~[\w-]{43,}"),
    ("buildkite-token", ("bkua_", "bkct_"), 40, r"bk[uc][at]_[0-9a-f]{35,}"),
    ("circleci-token", ("CCIPAT_", "CCIPRJ_"), 40, r"CCIP(?:AT|RJ)_\w{33,}"),
    ("contentful-token", ("CFPAT-",), 40, r"CFPAT-[\w-]{34,}"),
    ("netlify-token", ("nfp_",), 36, r"nfp_[A-Za-z0-9]{32,}"),
    ("sourcegraph-token", ("sgp_",), 40, r"sgp_[0-9a-f_]{36,}"),
    ("typeform-token", ("tfp_",), 40, r"tfp_[\w.=-]{36,}"),
    ("cargo-token", ("cio",), 35, r"cio[A-Za-z0-9]{32}(?!\w)"),
    (
        "vercel-token",
        ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
        28,
        rf"vc[piark]_{_MIXED}[A-Za-z0-9]{{24,}}",
    ),
    ("vercel-blob-token", ("vercel_blob_rw_",), 40, r"vercel_blob_rw_\w{25,}"),
    ("resend-key", ("re_",), 30, rf"re_{_MIXED}[A-Za-z0-9]{{8}}_[A-Za-z0-9]{{18,}}"),
    ("asana-token", ("1/", "2/"), 48, r"[12]/\d{14,20}(?:/\d{14,20})?:[0-9a-f]{32}"),
    ("backblaze-key", ("K00",), 31, r"K00\d[A-Za-z0-9+/]{27}(?!\w)"),
    ("nuget-key", ("oy2",), 46, r"oy2[a-z0-9]{43}(?!\w)"),
    ("honeycomb-key", ("hcaik_", "hcbik_", "hcxik_"), 40, r"hc[abx]ik_[a-z0-9]{34,}"),
    ("posthog-key", ("phx_",), 40, r"phx_[A-Za-z0-9]{36,}"),
    ("dropbox-token", ("sl.B", "sl.u."), 60, r"sl\.(?:u\.)?[\w-]{56,}"),
    ("clickup-token", ("pk_",), 40, r"pk_\d{5,10}_[A-Z0-9]{32}"),
    ("neon-key", ("napi_",), 60, r"napi_[a-z0-9]{56,}"),
    ("render-key", ("rnd_",), 28, rf"rnd_{_MIXED}[A-Za-z0-9]{{24,}}(?!\w)"),
    ("e2b-key", ("e2b_",), 40, r"e2b_[0-9a-f]{36,}"),
    ("nvidia-key", ("nvapi-",), 54, r"nvapi-[\w-]{48,}"),
    ("firecrawl-key", ("fc-",), 35, r"fc-[0-9a-f]{32}(?!\w)"),
    ("sonar-token", ("sqp_", "sqa_", "squ_"), 44, r"sq[pau]_[0-9a-f]{40}"),
    ("jfrog-token", ("cmVmdGtu",), 60, r"cmVmdGtu[A-Za-z0-9]{52,}"),
    ("launchdarkly-key", ("api-", "sdk-", "mob-"), 40, rf"(?:api|sdk|mob)-{UUID}"),
    ("braintree-token", ("access_token$",), 50, r"access_token\$[a-z]+\$\w{10,20}\$[0-9a-f]{32}"),
    (
        "1password-secret-key",
        ("A3-",),
        36,
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?!\w)",
    ),
    ("heroku-key", ("HRKU-",), 30, r"HRKU-[\w-]{25,}"),
    ("hubspot-token", ("pat-na1-", "pat-eu1-"), 40, r"pat-(?:na|eu)1-[0-9a-f-]{32,}"),
    ("airtable-token", ("pat",), 82, r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)"),
    ("flutterwave-key", ("FLWSECK",), 20, r"FLWSECK(?:_TEST)?-?[A-Za-z0-9][\w-]{11,}"),
    ("easypost-key", ("EZAK", "EZTK"), 58, r"EZ[AT]K[A-Za-z0-9]{54,}"),
    ("duffel-token", ("duffel_live_", "duffel_test_"), 40, r"duffel_(?:live|test)_[\w-]{28,}"),
    ("frameio-token", ("fio-u-",), 60, r"fio-u-[\w-]{54,}"),
    ("infracost-key", ("ico-",), 36, r"ico-[A-Za-z0-9]{32,}"),
    ("adobe-secret", ("p8e-",), 36, r"p8e-[0-9a-fA-F]{32,}"),
    ("shippo-token", ("shippo_live_", "shippo_test_"), 52, r"shippo_(?:live|test)_[0-9a-f]{40,}"),
    ("readme-key", ("rdme_",), 70, r"rdme_[0-9a-z]{65,}"),
    ("scalingo-token", ("tk-us-",), 50, r"tk-us-[\w-]{44,}"),
    ("adafruit-key", ("aio_",), 32, r"aio_[A-Za-z0-9]{28}(?!\w)"),
    (
        "plaid-token",
        ("access-sandbox-", "access-production-"),
        46,
        r"access-[a-z]{7,10}-[0-9a-f-]{36}",
    ),
    ("artifactory-key", ("AKCp",), 64, r"AKCp[A-Za-z0-9]{60,}"),
    ("alibaba-key", ("LTAI",), 20, r"LTAI[A-Za-z0-9]{16,26}(?!\w)"),
    ("age-secret-key", ("AGE-SECRET-KEY-1",), 60, r"AGE-SECRET-KEY-1[A-Z0-9]{44,}"),
    (
        # Base64 of "-----BEGIN", except of a certificate or a public key.
        "private-key",
        ("LS0tLS1CRUdJTi",),
        34,
        r"LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/=]{20,}",
    ),
    ("jwt", ("eyJ",), 30, r"eyJ[\w.-]{27,}"),
    (
        # A Discord token starts with its bot's number in base64: ten possible beginnings.
        "discord-token",
        ("MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
        50,
        r"[MNO][\w-]{21,29}\.[\w-]{6}\.[\w-]{27,}",
    ),
)

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

TAILED: tuple[tuple[str, tuple[str, ...], str, str, int, int], ...] = (
    ("telegram-token", (":AA",), r":AA[\w-]{32,}", "0123456789", 8, 10),
    ("azure-devops-token", ("AZDO",), r"AZDO[A-Za-z0-9]{4}(?!\w)", _ALNUM, 76, 76),
    ("terraform-token", (".atlasv1.",), r"\.atlasv1\.[\w=-]{50,}", _ALNUM, 14, 14),
    ("azure-client-secret", ("Q~",), r"Q~[\w.~-]{31,}", _ALNUM + "_~.-", 4, 4),
    ("newrelic-key", ("NRAL",), r"NRAL(?!\w)", "0123456789abcdef", 36, 36),
    ("mailchimp-key", ("-us",), r"-us\d{1,2}(?!\w)", "0123456789abcdef", 32, 32),
)
