"""The audit, and the triggers that refuse to change or delete what it says, whoever asks."""

from django.db import migrations, models


TABLE = "catalog_auditentry"
SAID = [
    *("at", "act", "who_id", "who", "kind", "key", "name", "before", "after"),
    *("way", "way_title", "request", "address", "pruned_to"),
]
"""Columns that no entry is ever given anew. The others are its place in the chain, which is given once."""

SQLITE_NO_UPDATE = f"""
CREATE TRIGGER audit_no_update BEFORE UPDATE ON {TABLE}
WHEN OLD.number IS NOT NULL OR OLD.id IS NOT NEW.id OR {" OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in SAID)}
BEGIN SELECT RAISE(ABORT, 'an audit entry is not changed'); END
"""
SQLITE_NO_DELETE = f"""
CREATE TRIGGER audit_no_delete BEFORE DELETE ON {TABLE}
WHEN OLD.number IS NULL OR NOT EXISTS (SELECT 1 FROM {TABLE} WHERE pruned_to >= OLD.number)
BEGIN SELECT RAISE(ABORT, 'an audit entry is not deleted, unless an entry says that it was pruned'); END
"""
POSTGRESQL_FUNCTION = f"""
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.number IS NULL AND OLD.id = NEW.id
        AND ({", ".join(f"OLD.{name}" for name in SAID)}) IS NOT DISTINCT FROM ({", ".join(f"NEW.{name}" for name in SAID)})
    THEN RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' AND OLD.number IS NOT NULL
        AND EXISTS (SELECT 1 FROM {TABLE} WHERE pruned_to >= OLD.number)
    THEN RETURN OLD;
    END IF;
    RAISE EXCEPTION 'an audit entry is not changed, and not deleted unless an entry says that it was pruned';
END $$
"""
POSTGRESQL_TRIGGER = f"""
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION audit_refuse()
"""


def refuse_changes(apps, schema_editor):
    match schema_editor.connection.vendor:
        case "sqlite":
            schema_editor.execute(SQLITE_NO_UPDATE)
            schema_editor.execute(SQLITE_NO_DELETE)
        case "postgresql":
            schema_editor.execute(POSTGRESQL_FUNCTION)
            schema_editor.execute(POSTGRESQL_TRIGGER)


def allow_changes(apps, schema_editor):
    match schema_editor.connection.vendor:
        case "sqlite":
            schema_editor.execute("DROP TRIGGER audit_no_update")
            schema_editor.execute("DROP TRIGGER audit_no_delete")
        case "postgresql":
            schema_editor.execute(f"DROP TRIGGER audit_no_change ON {TABLE}")
            schema_editor.execute("DROP FUNCTION audit_refuse()")


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0014_signing_in_to_servers'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('act', models.CharField(max_length=30)),
                ('who_id', models.BigIntegerField(null=True)),
                ('who', models.CharField(blank=True, max_length=150)),
                ('kind', models.CharField(blank=True, max_length=30)),
                ('key', models.CharField(blank=True, max_length=400)),
                ('name', models.CharField(blank=True, max_length=300)),
                ('before', models.TextField(blank=True)),
                ('after', models.TextField(blank=True)),
                ('way', models.CharField(choices=[('page', 'a page'), ('admin', 'the admin'), ('command', 'the command'), ('token', 'the access token'), ('itself', 'Pegboard itself')], max_length=10)),
                ('way_title', models.CharField(blank=True, max_length=80)),
                ('request', models.CharField(blank=True, max_length=32)),
                ('address', models.CharField(blank=True, max_length=64)),
                ('pruned_to', models.BigIntegerField(null=True)),
                ('number', models.BigIntegerField(null=True, unique=True)),
                ('previous', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['kind', 'key', '-id'], name='audit_of_a_row'), models.Index(fields=['who', '-id'], name='audit_of_a_person'), models.Index(fields=['at'], name='audit_at')],
            },
        ),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
